/** Directions: domain <- inventory <- { store, http, sagas } <- main. One rule a folder. */
const npm = '(^|/)node_modules/';

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'A cycle has no order to read it in. Move what both need into a file below them.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'domain-is-pure',
      comment:
        'src/domain imports only src/domain: no node:, no npm. Pass what it needs as a value.',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { pathNot: '^src/domain/' },
    },
    {
      name: 'inventory-knows-domain-and-ports',
      comment: 'src/inventory imports the domain and itself. Reach the world through ports.ts.',
      severity: 'error',
      from: { path: '^src/inventory/' },
      to: { path: '^(src/(store|http|metrics)/|src/main|src/config|sagas/|scripts/|test/)' },
    },
    {
      name: 'store-implements-ports',
      comment: 'src/store knows the domain and the ports, and neither HTTP nor sagas.',
      severity: 'error',
      from: { path: '^src/store/' },
      to: { path: '^(src/(http|metrics)/|src/main|src/config|sagas/|scripts/|test/)' },
    },
    {
      name: 'http-calls-inventory',
      comment: 'src/http reaches stores and sagas through ports that main.ts fills.',
      severity: 'error',
      from: { path: '^src/http/' },
      to: { path: '^(src/(store|metrics)/|src/main|src/config|sagas/|scripts/|test/)' },
    },
    {
      name: 'metrics-count-what-they-are-told',
      comment: 'src/metrics knows the domain and the ports; service.ts hands it what it counts.',
      severity: 'error',
      from: { path: '^src/metrics/' },
      to: { path: '^(src/(store|http)/|src/main|src/config|sagas/|scripts/|test/)' },
    },
    {
      name: 'only-metrics-sees-prometheus',
      comment: 'Only src/metrics knows how metrics are written; everything else tells what it did.',
      severity: 'error',
      from: { path: '^(src|sagas)/', pathNot: '^src/metrics/' },
      to: { path: npm + 'prom-client/' },
    },
    {
      name: 'sagas-use-inventory',
      comment: 'sagas import src/domain and src/inventory only.',
      severity: 'error',
      from: { path: '^sagas/' },
      to: { path: '^(src/(store|http|metrics)/|src/main|src/config|scripts/|test/)' },
    },
    {
      name: 'only-store-sees-mongodb',
      comment: 'Only src/store knows the driver; everything else uses the ports.',
      severity: 'error',
      from: { path: '^(src|sagas)/', pathNot: '^src/store/' },
      to: { path: npm + '(mongodb|bson)/' },
    },
    {
      name: 'only-http-sees-express',
      comment: 'Only src/http knows Express.',
      severity: 'error',
      from: { path: '^(src|sagas)/', pathNot: '^src/http/' },
      to: { path: npm + '(express|@types/express[^/]*)/' },
    },
    {
      name: 'production-needs-no-tool',
      comment: 'scripts and test are development tools; nothing that ships imports them.',
      severity: 'error',
      from: { path: '^(src|sagas)/' },
      to: { path: '^(scripts|test)/' },
    },
    {
      name: 'console-stands-alone',
      comment: 'The console knows the service by its API alone: it runs in a browser.',
      severity: 'error',
      from: { path: '^src/console/' },
      to: { path: '^(src/(?!console/)|sagas/|scripts/|test/)' },
    },
    {
      name: 'nothing-imports-the-console',
      comment: 'The service hands out the console as built files.',
      severity: 'error',
      from: { path: '^(src|sagas)/', pathNot: '^src/console/' },
      to: { path: '^src/console/' },
    },
    {
      name: 'main-is-the-root',
      comment: 'src/main.ts wires everything and is imported by nothing that ships.',
      severity: 'error',
      from: { path: '^(src|sagas)/' },
      to: { path: '^src/main\\.ts$' },
    },
    {
      name: 'resolvable',
      comment: 'An import that cannot be resolved hides from every other rule.',
      severity: 'error',
      from: {},
      // A file by its address is the bundler's to find.
      to: { couldNotResolve: true, pathNot: '\\?url$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types'],
    },
  },
};
