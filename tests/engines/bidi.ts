import { type Browser, launch } from 'puppeteer-core'
import { chromiumArguments } from '#tests/programs.ts'
import { findElement } from './locate.ts'
import type { WindowDriver } from './tab.ts'

// Settings that make a browser report a mouse. A browser on a machine without a mouse reports that it has
// only touch input, and the message boxes of Engawa then insert a line break on Enter, as on a phone.
const chromiumMouse =
  '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4'
const firefoxMouse = { 'ui.primaryPointerCapabilities': 6, 'ui.allPointerCapabilities': 6 }

/**
 * Starts Chromium or Firefox, controlled over WebDriver BiDi (https://w3c.github.io/webdriver-bidi/). Each
 * open window gets a browser process of its own, because in one process, only the front window draws and
 * counts as visible.
 */
export async function startBidi(name: 'chrome' | 'firefox', executablePath: string) {
  const start = () =>
    launch({
      browser: name,
      executablePath,
      headless: true,
      protocol: 'webDriverBiDi',
      args: name === 'chrome' ? [...chromiumArguments, chromiumMouse] : [],
      extraPrefsFirefox: { 'intl.accept_languages': 'en-GB', ...firefoxMouse },
    })
  const all: Browser[] = []
  const idle: Browser[] = []
  return {
    async open() {
      let browser = idle.pop()
      if (!browser) all.push((browser = await start()))
      const used = browser
      return openWindow(used, () => idle.push(used))
    },
    async close() {
      await Promise.all(all.map((browser) => browser.close()))
    },
  }
}

/**
 * Matches what Firefox reports when a navigation closes a connection, or ends the loading of a file ahead of
 * its use. The tests ignore these errors.
 */
const brokenOff =
  /establish a connection to the server at ws:|connection to ws:.* was interrupted|^Failed to load ‘[^’]*\/assets\/[^’]*’\. A ServiceWorker intercepted/

/** Opens a browser window with cookies and storage of its own, and returns a driver of this window. */
async function openWindow(browser: Browser, onClose: () => void): Promise<WindowDriver> {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => {
    const { message = String(error), stack = '' } = error as Partial<Error>
    if (!brokenOff.test(message)) errors.push(`${message} ${stack}`)
  })
  await page.setViewport({ width: 1280, height: 900 })
  return {
    goto: async (url) => void (await page.goto(url, { waitUntil: 'load' })),
    evaluate: (expression) => page.evaluate(expression),
    async withElement(target, act) {
      const handle = await page.evaluateHandle(findElement, target)
      const element = handle.asElement() as Awaited<ReturnType<typeof page.$>>
      if (!element) return false
      await act({
        click: () => element.click(),
        type: (text) => element.type(text),
        upload: (files) =>
          (element as never as { uploadFile(...f: string[]): Promise<void> }).uploadFile(...files),
      })
      return true
    },
    async press(key, modifier) {
      if (modifier) await page.keyboard.down(modifier)
      await page.keyboard.press(key)
      if (modifier) await page.keyboard.up(modifier)
    },
    resize: (width, height) => page.setViewport({ width, height }),
    screenshot: async () => Buffer.from(await page.screenshot()),
    takeErrors: async () => errors.splice(0),
    async close() {
      await context.close()
      onClose()
    },
  }
}
