import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Builder, Capabilities, error, Key, type WebDriver, type WebElement } from 'selenium-webdriver'
import type { WebKitPaths } from '#tests/programs.ts'
import { findFreePort } from '#tests/services.ts'
import { findElement } from './locate.ts'
import type { WindowDriver } from './tab.ts'

const keys = {
  Enter: Key.ENTER,
  Tab: Key.TAB,
  Escape: Key.ESCAPE,
  Space: ' ',
  ArrowDown: Key.ARROW_DOWN,
  ArrowUp: Key.ARROW_UP,
  ArrowRight: Key.ARROW_RIGHT,
}

/**
 * Starts WebKitGTK's MiniBrowser on a virtual display, controlled over WebDriver
 * (https://www.w3.org/TR/webdriver2/).
 */
export async function startWebKit(programs: WebKitPaths) {
  const display = await startDisplay(programs)
  const children: ChildProcess[] = [display.child]
  return {
    async open() {
      // Starts a driver process for each browser window, because a driver allows only one session.
      const port = await findFreePort()
      const env = { ...process.env, DISPLAY: display.name, LIBGL_ALWAYS_SOFTWARE: '1', LANG: 'en_GB.UTF-8' }
      const child = spawn(programs.driver, [`--port=${port}`], { env, stdio: 'ignore' })
      children.push(child)
      return openWindow(await connect(port, programs.browser), child)
    },
    async close() {
      for (const child of children.reverse()) await end(child)
    },
  }
}

/**
 * Starts Xvfb, a display without a screen. Xvfb chooses a free display number, and writes this number to a
 * pipe when the display is ready.
 */
async function startDisplay({ display }: WebKitPaths) {
  const child = spawn(display, ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const [number] = await Promise.race([
    once(child.stdio[3]!, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error('Xvfb did not start'))),
  ])
  return { child, name: `:${String(number).trim()}` }
}

async function connect(port: number, binary: string, tries = 40): Promise<WebDriver> {
  // Starts the browser in full-screen mode without its tool bar, because the tool bar prevents windows as
  // narrow as a phone.
  const options = { binary, args: ['--automation', '--full-screen'] }
  try {
    return await new Builder()
      .usingServer(`http://127.0.0.1:${port}`)
      .withCapabilities(new Capabilities({ browserName: 'MiniBrowser', 'webkitgtk:browserOptions': options }))
      .build()
  } catch (failure) {
    if (tries === 0) throw failure
    await sleep(100)
    return connect(port, binary, tries - 1)
  }
}

async function openWindow(driver: WebDriver, child: ChildProcess): Promise<WindowDriver> {
  const resize = (width: number, height: number) =>
    driver.manage().window().setRect({ x: 0, y: 0, width, height })
  await resize(1280, 900)
  const window: WindowDriver = {
    async goto(url) {
      await driver.get(url)
      await driver.executeScript(collectErrors)
    },
    evaluate: (expression) => driver.executeScript(`return ${expression}`),
    async withElement(target, act) {
      const element = await driver.executeScript<WebElement | null>(findElement, target)
      if (!element) return false
      await act({
        click: () => click(driver, element),
        type: (text) => element.sendKeys(text.replaceAll('\n', Key.ENTER)),
        upload: (files) => element.sendKeys(files.join('\n')),
      })
      return true
    },
    async press(key, modifier) {
      const actions = driver.actions()
      if (modifier) actions.keyDown(modifier === 'Shift' ? Key.SHIFT : Key.CONTROL)
      actions.sendKeys(keys[key])
      if (modifier) actions.keyUp(modifier === 'Shift' ? Key.SHIFT : Key.CONTROL)
      await actions.perform()
    },
    resize: async (width, height) => void (await resize(width, height)),
    screenshot: async () => Buffer.from(await driver.takeScreenshot(), 'base64'),
    takeErrors: () => driver.executeScript('return (window.pageErrors ?? []).splice(0)'),
    async close() {
      await driver.quit()
      await end(child)
    },
  }
  return window
}

/**
 * Clicks an element of the page. Scrolls to the element first, because the driver cannot click an element
 * that a bar covers.
 */
async function click(driver: WebDriver, element: WebElement) {
  await driver.executeScript(
    (e: Element) => e.scrollIntoView({ block: 'center', inline: 'nearest' }),
    element,
  )
  try {
    await element.click()
  } catch (failure) {
    // Gives the error for a covered element a clearer message, and rethrows other errors unchanged. WebDriver
    // also reports this error for a link that is broken over two lines, because the middle of its box is then
    // outside of the link.
    if (!(failure instanceof error.ElementClickInterceptedError)) throw failure
    throw new Error(`Something covers the element: ${failure.message}`)
  }
}

/**
 * Starts to record the errors of the page in a variable of the page, because WebDriver has no event for them.
 */
function collectErrors() {
  const page = window as typeof window & { pageErrors?: string[] }
  if (page.pageErrors) return
  page.pageErrors = []
  page.addEventListener('error', ({ message }) => page.pageErrors!.push(message))
  page.addEventListener('unhandledrejection', ({ reason }) => page.pageErrors!.push(String(reason)))
}

async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill()
  await gone
}
