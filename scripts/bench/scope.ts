/** What the figures are, and what they are not. */

export const scope = `Each figure is the median of the runs; ratios are medians over runs side by side.
  path   the service's mutation path      plain  claim; read, compare-and-swap, retry at once; ledger
  bare   one conditional update, no more  tx     SQL by hand, a transaction
                                          one    SQL by hand, one statement
Over HTTP, path is the whole service from src/main.ts and the SQL stands behind a bare Express route.
Clients wait for each answer before they send again. Movements are ships of one unit with a key of
their own that are never refused. Peak memory and CPU time a movement are those of the process that
runs the strategy, which in process includes the clients, and of all the engine's processes; where
the processors are busy, CPU time is what sets the rate.

Not measured: a network (all runs on one machine, load and database on the same cores), replication
and majority acknowledgement, TLS, engines other than this one, refusals and replays, reads, several
lines a movement, a database larger than memory, hours of running, and the first movement of a SKU in
a process, which reads it first: every SKU was moved once before. Near-empty windows fill as the runs
go on, so they are measured over many SKUs only.`;
