import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { findChromium, findFirefox, findWebKit } from '#tests/programs.ts'
import { startServer } from '#tests/server.ts'
import { startBidi } from './bidi.ts'
import { createTab, type Tab, type WindowDriver } from './tab.ts'
import { startWebKit } from './webkit.ts'

interface Browser {
  open(): Promise<WindowDriver>
  close(): Promise<void>
}

/**
 * The functions that start the browser engines, by the name of the engine; null for an engine that this
 * machine does not have. tests/run/run.ts reports the missing engines.
 */
export const engineStarters: Record<string, (() => Promise<Browser>) | null> = {
  Chromium: startable(findChromium(), (path) => startBidi('chrome', path)),
  Firefox: startable(findFirefox(), (path) => startBidi('firefox', path)),
  WebKit: startable(findWebKit(), startWebKit),
}

function startable<T>(found: T | null, start: (found: T) => Promise<Browser>) {
  return found === null ? null : () => start(found)
}

export const ENGINE_PASSWORD = 'paper lantern 7'
export interface TabMember {
  id: number
  name: string
  email: string
  tab: Tab
}

/**
 * Starts a server and a browser for the tests of one engine, and creates a folder for the pictures that the
 * tests upload. Returns functions that open browser windows and register members.
 */
export async function startEngine(start: () => Promise<Browser>) {
  const [server, browser] = await Promise.all([startServer({ RATE_LIMIT: 'off' }), start()])
  const folder = await mkdtemp(join(tmpdir(), 'engawa-engines-'))
  const open: Tab[] = []
  let count = 0

  async function visitor() {
    const tab = createTab(await browser.open(), server.url)
    open.push(tab)
    return tab
  }
  async function member(name: string): Promise<TabMember> {
    const tab = await visitor()
    const email = `walker.${++count}@engawa.example`
    await tab.goto('/login')
    const account = {
      name,
      email,
      password: ENGINE_PASSWORD,
      password_confirmation: ENGINE_PASSWORD,
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
export type EngineFixture = Awaited<ReturnType<typeof startEngine>>
