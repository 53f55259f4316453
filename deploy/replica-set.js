// Run by mongosh against one member: the set is made where there is none, and a second run changes
// nothing. It ends well once there is a primary that takes writes.
/* global rs, db, sleep, quit, print */
const members = ['mongo1', 'mongo2', 'mongo3'].map((name, _id) => ({ _id, host: `${name}:27017` }));
const notYetInitialized = 94;

const { ok, code, errmsg } = db.adminCommand({ replSetGetStatus: 1 });
if (!ok && code === notYetInitialized) rs.initiate({ _id: 'rs0', members });
else if (!ok) throw new Error(errmsg);

for (let tries = 0; tries < 60; tries += 1) {
  const { primary } = db.hello();
  if (primary !== undefined) {
    print(`the primary is ${primary}`);
    quit(0);
  }
  sleep(1000);
}
print('there is no primary after a minute');
quit(1);
