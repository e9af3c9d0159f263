// With `npm exec`, bin/engawa loads this module into the server. The module stops the server when the parent
// process has ended: npm sends its signals to a shell, which exits without passing them on.
const parent = process.ppid
const look = setInterval(() => {
  if (process.ppid === parent) return
  clearInterval(look)
  process.kill(process.pid, 'SIGTERM')
}, 200).unref()
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => clearInterval(look))
