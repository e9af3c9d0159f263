import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from '@playwright/test'

// The browser contexts that the tests of a worker use one after another. A new context starts a process that
// loads and compiles all scripts again, which takes three times as much processor time as opening a page in
// a context that has shown one before. So a context is cleaned after a test and given to a later one.

/** A browser context with one open page. */
export interface Seat {
  context: BrowserContext
  page: Page
}
interface OwnedSeat extends Seat {
  key: string
  options: BrowserContextOptions
  /** Opens a session of the DevTools protocol. While it is open, pages miss the event `online`. */
  connect(): Promise<CDPSession>
  uses: number
  /** Whether a test did something with the context or its page that cannot be undone. */
  isSpoilt: boolean
}
export type Seats = ReturnType<typeof createSeats>

/** The path of a document of the server that loads nothing. A page that shows it keeps its process. */
export const BLANK_PATH = '/mark.svg'

/** A few contexts for each kind of options stay open. More would need much memory. */
const MOST_IDLE_SEATS = 8
/** A context is closed after this number of tests, so that a leak of memory cannot grow without end. */
const MOST_USES = 40

/**
 * Calls of these functions spoil a seat: its context is closed after the test, because nothing undoes what
 * they do.
 */
const spoiling = {
  context: [
    ...['addInitScript', 'exposeBinding', 'exposeFunction', 'grantPermissions', 'newCDPSession'],
    ...['routeWebSocket', 'setExtraHTTPHeaders', 'setGeolocation', 'setHTTPCredentials', 'setOffline'],
  ],
  page: ['addInitScript', 'exposeBinding', 'exposeFunction', 'routeWebSocket', 'setExtraHTTPHeaders'],
  clock: ['install', 'fastForward', 'pauseAt', 'resume', 'runFor', 'setFixedTime', 'setSystemTime'],
} as const
const events = [
  ...['console', 'dialog', 'domcontentloaded', 'download', 'filechooser'],
  ...['frameattached', 'framedetached', 'framenavigated', 'load', 'pageerror', 'popup', 'request'],
  ...['requestfailed', 'requestfinished', 'response', 'websocket', 'worker'],
] as const

/** Creates the seats of a worker, whose tests use the server with this URL. */
export function createSeats(browser: Browser, serverUrl: string) {
  const idle: OwnedSeat[] = []
  const owned = new Map<BrowserContext, OwnedSeat>()

  async function open(options: BrowserContextOptions, key: string, isFresh: boolean) {
    const context = await browser.newContext(options)
    if (!isFresh && options.serviceWorkers === 'block') await context.addInitScript(saveData)
    const page = await context.newPage()
    if (!isFresh) await page.goto(serverUrl + BLANK_PATH)
    const connect = context.newCDPSession.bind(context, page)
    const seat: OwnedSeat = { context, page, key, options, connect, uses: 0, isSpoilt: false }
    const spoil = () => {
      seat.isSpoilt = true
    }
    for (const name of spoiling.context) callBefore(context, name, spoil)
    for (const name of spoiling.page) callBefore(page, name, spoil)
    for (const name of spoiling.clock) callBefore(context.clock, name, spoil)
    page.on('crash', spoil)
    owned.set(context, seat)
    return seat
  }

  async function close(seat: OwnedSeat) {
    owned.delete(seat.context)
    await seat.context.close()
  }

  return {
    /** Returns an idle seat with these options, or else a new one. A fresh one has loaded nothing yet. */
    async take(options: BrowserContextOptions, isFresh: boolean): Promise<Seat> {
      const key = JSON.stringify(options)
      const at = isFresh ? -1 : idle.findLastIndex((seat) => seat.key === key)
      const seat = at < 0 ? await open(options, key, isFresh) : idle.splice(at, 1)[0]!
      seat.uses++
      return seat
    },
    /** Takes a seat back from a test, and cleans it for the next one. */
    async giveBack({ context }: Seat) {
      const seat = owned.get(context)
      if (!seat) return
      if (seat.isSpoilt || seat.uses >= MOST_USES || seat.page.isClosed()) return close(seat)
      try {
        await clean(seat, serverUrl)
      } catch {
        return close(seat)
      }
      idle.push(seat)
      if (idle.length > MOST_IDLE_SEATS) await close(idle.shift()!)
    },
    has: (context: BrowserContext) => owned.has(context),
  }
}

async function clean({ context, page, options, connect }: OwnedSeat, serverUrl: string) {
  for (const event of events) page.removeAllListeners(event as 'close')
  for (const event of ['page', 'request', 'response', 'requestfailed', 'requestfinished'] as const)
    context.removeAllListeners(event as 'page')
  for (const other of context.pages()) if (other !== page) await other.close()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  // Leaves the page before the cookies are deleted. Otherwise a late response would set a cookie again.
  await page.goto(serverUrl + BLANK_PATH)
  await page.evaluate(() => sessionStorage.clear())
  const protocol = await connect()
  await protocol.send('Storage.clearDataForOrigin', {
    origin: new URL(serverUrl).origin,
    storageTypes: 'cookies,local_storage,indexeddb,cache_storage,service_workers,file_systems',
  })
  await context.clearCookies()
  await protocol.send('Page.resetNavigationHistory')
  await protocol.detach()
  if (options.viewport) await page.setViewportSize(options.viewport)
  await page.emulateMedia({
    media: null,
    colorScheme: options.colorScheme ?? 'light',
    forcedColors: null,
    reducedMotion: null,
  })
  await page.mouse.move(-1, -1)
}

/**
 * Runs in each page. Says that the browser saves data, so that an idle page does not load the code of all
 * other pages. That would take more processor time than opening the page.
 */
function saveData() {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
}

/** Replaces a method of an object by one that calls `before` first. */
function callBefore(object: object, name: string, before: () => void) {
  const methods = object as Record<string, (...given: unknown[]) => unknown>
  const original = methods[name]!.bind(object)
  methods[name] = (...given) => {
    before()
    return original(...given)
  }
}
