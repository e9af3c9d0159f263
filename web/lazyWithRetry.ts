import { lazy as lazyOfReact } from 'react'
import { addServerOutageEndListener } from '#web/connection.ts'
import { probeServerAndDetectNewAppVersion } from '#web/new-version.ts'

/**
 * The delays in milliseconds between attempts to load the code of a component: the first one, and the
 * longest.
 */
const RETRY_DELAYS = { first: 1000, longest: 30_000 }

let endFirstRender: () => void
const firstRender = new Promise<void>((resolve) => {
  endFirstRender = resolve
})

/** The time in milliseconds after which components load even if the first render has not finished. */
const FIRST_RENDER_TIMEOUT = 5000

/**
 * Lets the components of `lazyWithRetry` load. The app calls this after its first render. Before
 * that, the browser loads and runs only the code that the first render needs.
 */
export const loadLazyComponentsFromNowOn = () => endFirstRender()
setTimeout(loadLazyComponentsFromNowOn, FIRST_RENDER_TIMEOUT)

/**
 * Returns a component whose code is loaded when it is first rendered, as with React's `lazy`, but not before
 * the first render of the app is finished. A failed load is repeated until it succeeds. Meanwhile `Suspense`
 * shows its fallback. With React's `lazy`, one component that cannot be loaded would replace the whole page
 * by an error page. If the server has a newer version without this code, a banner offers to reload the page.
 */
export const lazyWithRetry: typeof lazyOfReact = (load) => lazyOfReact(() => loadAfterFirstRender(load))

/** Loads code as `lazyWithRetry` does: after the first render of the app, and repeatedly until it succeeds. */
export const loadAfterFirstRender = <T>(load: () => Promise<T>) =>
  firstRender.then(() => loadRepeatedly(load))

async function loadRepeatedly<T>(load: () => Promise<T>): Promise<T> {
  for (let delay = RETRY_DELAYS.first; ; delay = Math.min(2 * delay, RETRY_DELAYS.longest))
    try {
      return await load()
    } catch {
      void probeServerAndDetectNewAppVersion()
      await waitForConnectionOr(delay)
    }
}

/** Resolves when an outage of the server ends, or after `delay` milliseconds. */
const waitForConnectionOr = (delay: number) =>
  new Promise<void>((resolve) => {
    const removeListener = addServerOutageEndListener(done)
    const timer = setTimeout(done, delay)
    function done() {
      removeListener()
      clearTimeout(timer)
      resolve()
    }
  })
