import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'

/** Returns the path of a Chromium program; null if the machine has none. */
export function findChromium(): string | null {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  // Looks for the headless shell of Chromium first, because it needs a third less processor time than the
  // complete Chromium.
  const found = findProgram(
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
  )
  if (found) return found
  return findChromiumOfPlaywright()
}

function findChromiumOfPlaywright() {
  // Imports Playwright only here: it is large, and every in-process test imports this file.
  const { chromium } = createRequire(import.meta.url)('@playwright/test') as typeof import('@playwright/test')
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : null
}

/**
 * Returns the path of a complete Chromium; null if the machine has none. The headless shell lacks two parts:
 * notifications, and the check whether a site can be installed.
 */
export function findFullChromium(): string | null {
  const { CHROMIUM_PATH: given } = process.env
  if (given && !/headless.shell/.test(given)) return given
  return (
    findProgram('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable') ??
    findChromiumOfPlaywright()
  )
}

/** The command-line options that Chromium needs as root in a container without a display or a network. */
export const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Returns the path of a Firefox program; null if the machine has none. Debian's `firefox-esr` is preferred.
 */
export const findFirefox = () => process.env.FIREFOX_PATH ?? findProgram('firefox-esr', 'firefox')

export interface WebKitPaths {
  /** The path of WebKitWebDriver, the program that controls the browser. */
  driver: string
  /** The path of MiniBrowser, the small browser that comes with WebKitGTK. */
  browser: string
  /** The path of Xvfb, a display without a screen. WebKitGTK needs it, because it has no headless mode. */
  display: string
}

/** Returns the paths of the programs that run WebKitGTK; null if one of them is missing. */
export function findWebKit(): WebKitPaths | null {
  const driver = findProgram('WebKitWebDriver')
  const display = findProgram('Xvfb')
  const folders = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].flatMap((machine) =>
    ['4.1', '6.0', '4.0'].map((version) => `/usr/lib/${machine}/webkit2gtk-${version}/MiniBrowser`),
  )
  const browser = folders.find((path) => existsSync(path))
  return driver && display && browser ? { driver, browser, display } : null
}

export const findRedis = () => findProgram('redis-server', 'valkey-server')
export const findNginxPath = () => findProgram('nginx')
export const findCaddyPath = () => findProgram('caddy')

/**
 * Returns the path of the first of the named programs that the machine has; null if it has none. Also looks
 * into system folders that may not be on PATH.
 */
export function findProgram(...names: string[]): string | null {
  const folders = ['/usr/bin', '/usr/sbin', ...pathFolders()]
  return (
    names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path)) ??
    null
  )
}

export const pathFolders = () => (process.env.PATH ?? '').split(delimiter).filter(Boolean)
