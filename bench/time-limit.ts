/**
 * Ends this process after `seconds`, or when a signal asks it to end. Playwright then kills its browsers, and
 * tests/server.ts its servers.
 */
export function exitAfterSecondsOrOnSignal(seconds: number, describeWork: () => string) {
  const timer = setTimeout(() => {
    console.error(`Ended after ${seconds} s, while ${describeWork()}.`)
    process.exit(1)
  }, seconds * 1000)
  timer.unref()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
}
