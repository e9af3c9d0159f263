import { lazy as lazyOfReact } from 'react'
import { onOutageEnd } from '#web/connection.ts'
import { probeServerAndDetectNewAppVersion } from '#web/new-version.ts'

/** The delays in ms between attempts to load the code of a part: the first one, and the longest. */
const RETRY_DELAYS = { first: 1000, longest: 30_000 }

/**
 * Does the same as `lazy` of React for a part of a page, but its load never fails: without a connection it
 * is repeated until it succeeds, and meanwhile `Suspense` shows its fallback. With `lazy` of React, one part
 * that cannot be loaded replaces the whole page by an error page. If the server has a newer version without
 * this code, the bar about the new version offers a reload.
 */
export const lazyWithRetry: typeof lazyOfReact = (load) => lazyOfReact(() => loadRepeatedly(load))

async function loadRepeatedly<T>(load: () => Promise<T>): Promise<T> {
  for (let delay = RETRY_DELAYS.first; ; delay = Math.min(2 * delay, RETRY_DELAYS.longest))
    try {
      return await load()
    } catch {
      void probeServerAndDetectNewAppVersion()
      await waitForConnectionOr(delay)
    }
}

/** Resolves when an outage ends, or after `delay` ms. */
const waitForConnectionOr = (delay: number) =>
  new Promise<void>((resolve) => {
    const removeListener = onOutageEnd(done)
    const timer = setTimeout(done, delay)
    function done() {
      removeListener()
      clearTimeout(timer)
      resolve()
    }
  })
