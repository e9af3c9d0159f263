import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { findChromiumPath, findFirefoxPath, findWebKitDriverBrowserAndDisplayPaths } from '#tests/programs.ts'
import { startTestServerProcess } from '#tests/server.ts'
import { startBidiTestBrowser } from './bidi.ts'
import {
  createTestBrowserTabController,
  type TestBrowserTabController,
  type TestBrowserWindowDriver,
} from './tab.ts'
import { startWebKitTestBrowser } from './webkit.ts'

interface Browser {
  open(): Promise<TestBrowserWindowDriver>
  close(): Promise<void>
}

/**
 * The functions that start the browser engines, by the name of the engine; null for an engine that this
 * machine does not have. tests/run/run.ts reports the missing engines.
 */
export const testBrowserEngineStartersByName: Record<string, (() => Promise<Browser>) | null> = {
  Chromium: startable(findChromiumPath(), (path) => startBidiTestBrowser('chrome', path)),
  Firefox: startable(findFirefoxPath(), (path) => startBidiTestBrowser('firefox', path)),
  WebKit: startable(findWebKitDriverBrowserAndDisplayPaths(), startWebKitTestBrowser),
}

function startable<T>(found: T | null, start: (found: T) => Promise<Browser>) {
  return found === null ? null : () => start(found)
}

export const BROWSER_ENGINE_TEST_MEMBER_PASSWORD = 'paper lantern 7'
export interface TestMemberWithBrowserTab {
  id: number
  name: string
  email: string
  tab: TestBrowserTabController
}

/**
 * Starts a server and a browser for the tests of one engine, and creates a folder for the pictures that the
 * tests upload. Returns functions that open browser windows and register members.
 */
export async function startBrowserEngineFixture(start: () => Promise<Browser>) {
  const [server, browser] = await Promise.all([startTestServerProcess({ RATE_LIMIT: 'off' }), start()])
  const folder = await mkdtemp(join(tmpdir(), 'engawa-engines-'))
  const open: TestBrowserTabController[] = []
  let count = 0

  async function visitor() {
    const tab = createTestBrowserTabController(await browser.open(), server.url)
    open.push(tab)
    return tab
  }
  async function member(name: string): Promise<TestMemberWithBrowserTab> {
    const tab = await visitor()
    const email = `walker.${++count}@engawa.example`
    await tab.goto('/login')
    const account = {
      name,
      email,
      password: BROWSER_ENGINE_TEST_MEMBER_PASSWORD,
      password_confirmation: BROWSER_ENGINE_TEST_MEMBER_PASSWORD,
    }
    const { user } = (await tab.call('POST', '/api/register', account)) as { user: { id: number } }
    return { id: user.id, name, email, tab }
  }
  // Registers the first account of the server, which becomes its admin.
  const firstAdmin = await member('Keeper')
  open.pop()

  return {
    server,
    visitor,
    member,
    async admin(name: string) {
      const admin = await member(name)
      await firstAdmin.tab.call('PUT', `/api/admin/users/${admin.id}/admin`)
      return admin
    },
    /** Creates a JPEG file of one colour in the folder, and returns its path. */
    async picture(name: string, { width = 900, height = 600 } = {}) {
      const path = join(folder, `${name}.jpg`)
      const background = { r: (name.length * 53) % 255, g: 140, b: 120 }
      await sharp({ create: { width, height, channels: 3, background } })
        .jpeg()
        .toFile(path)
      return path
    },
    /** Closes all windows that a test has opened. Throws if the page in one of them has reported an error. */
    async closeWindows() {
      for (const tab of open.splice(0)) {
        await tab.hasNoErrors()
        await tab.driver.close()
      }
    },
    async stop() {
      await browser.close()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
export type BrowserEngineFixture = Awaited<ReturnType<typeof startBrowserEngineFixture>>
