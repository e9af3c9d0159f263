/** Safari has no requestIdleCallback. */
const callWhenIdle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 100))

export const waitUntilIdle = () => new Promise<unknown>((resolve) => callWhenIdle(resolve))
