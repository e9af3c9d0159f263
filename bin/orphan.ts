// For a server that npm exec started: npm hands its signals to a shell, which dies of them and tells nobody.
const parent = process.ppid
const look = setInterval(() => {
  if (process.ppid === parent) return
  clearInterval(look)
  process.kill(process.pid, 'SIGTERM')
}, 200).unref()
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => clearInterval(look))
