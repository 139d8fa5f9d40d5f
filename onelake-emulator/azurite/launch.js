// Starts Azurite's blob service so that it ends with whoever holds the other end of standard input,
// also when that process is killed. SIGTERM lets Azurite save its index first.
process.stdin.on("end", () => process.kill(process.pid, "SIGTERM")).resume();
require("azurite/dist/src/blob/main.js");
