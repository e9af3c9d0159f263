import { vi } from 'vitest'

/**
 * Repeats a check until it passes, and returns its result. Waits as long as a busy machine may need, not one
 * second as `vi.waitFor` does by default.
 */
export const eventually = <Result>(check: () => Result | Promise<Result>) =>
  vi.waitFor(check, { timeout: 30_000, interval: 20 })
