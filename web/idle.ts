/**
 * Calls a function when the browser is idle. Safari has no requestIdleCallback, so Safari calls it after 100
 * ms.
 */
const callWhenIdle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 100))

/** Resolves when the browser is idle. */
export const waitUntilIdle = () => new Promise<unknown>((resolve) => callWhenIdle(resolve))
