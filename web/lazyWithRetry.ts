import { lazy as lazyOfReact } from 'react'
import { onOutageEnd } from '#web/connection.ts'
import * as newVersion from '#web/new-version.ts'

/** Milliseconds between two attempts. */
const RETRY_DELAYS = { first: 1000, longest: 30_000 }

let endFirstRender: () => void
const firstRender = new Promise<void>((resolve) => {
  endFirstRender = resolve
})

/** Milliseconds after which components load even if the first render has not finished. */
const FIRST_RENDER_TIMEOUT = 5000

/** Called after the first render, for which the browser loads and runs only its own code. */
export const startLazyLoads = () => endFirstRender()
setTimeout(startLazyLoads, FIRST_RENDER_TIMEOUT)

/**
 * Like React's `lazy`, but not before the first render of the app, and repeated until it succeeds: with
 * `lazy`, one component that cannot be loaded would replace the whole page by an error page. If the server
 * has a newer version without this code, a banner offers to reload.
 */
export const lazyWithRetry: typeof lazyOfReact = (load) => lazyOfReact(() => loadAfterRender(load))

/** After the first render of the app, and repeatedly until it succeeds. */
export const loadAfterRender = <T>(load: () => Promise<T>) => firstRender.then(() => loadRepeatedly(load))

async function loadRepeatedly<T>(load: () => Promise<T>): Promise<T> {
  for (let delay = RETRY_DELAYS.first; ; delay = Math.min(2 * delay, RETRY_DELAYS.longest))
    try {
      return await load()
    } catch {
      void newVersion.probe()
      await waitForConnectionOr(delay)
    }
}

/** `delay` is in ms. */
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
