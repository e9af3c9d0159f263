import { expect } from 'vitest'
import { type ElementDescription, findElement } from './locate.ts'

/**
 * The operations on a browser window that the tests need. Each browser engine implements them with its own
 * protocol and library.
 */
export interface WindowDriver {
  goto(url: string): Promise<void>
  /**
   * Evaluates a JavaScript expression in the page, even if the page's Content-Security-Policy forbids this.
   * Resolves to the value of the expression, which must be JSON.
   */
  evaluate(expression: string): Promise<unknown>
  /**
   * Calls `act` with the first element that matches `target`, and resolves to true. Resolves to false if no
   * element matches.
   */
  withElement(target: ElementDescription, act: (element: TabElement) => Promise<void>): Promise<boolean>
  /** Presses one key. If `modifier` is given, this key is held down meanwhile. */
  press(key: KeyboardKey, modifier?: 'Shift' | 'Control'): Promise<void>
  resize(width: number, height: number): Promise<void>
  /** Takes a screenshot of the window, and resolves to its bytes as a PNG. */
  screenshot(): Promise<Buffer>
  /** Resolves to the errors that the page has reported since the last call of this function. */
  takeErrors(): Promise<string[]>
  close(): Promise<void>
}
export type KeyboardKey = 'Enter' | 'Tab' | 'Escape' | 'Space' | 'ArrowDown' | 'ArrowUp' | 'ArrowRight'

export interface TabElement {
  click(): Promise<void>
  type(text: string): Promise<void>
  upload(files: readonly string[]): Promise<void>
}

const TIMEOUT = 20_000
const PAUSE = 60

/**
 * Creates the functions with which a test uses a browser window, in any browser engine. Each action waits
 * until its element is visible.
 */
export function createTab(driver: WindowDriver, baseUrl: string) {
  /**
   * Calls `look` again and again until it returns something other than false, null or undefined, and returns
   * this value. Fails after 20 seconds.
   */
  async function until<T>(look: () => Promise<T>, what: string): Promise<NonNullable<T>> {
    const end = Date.now() + TIMEOUT
    let last: unknown = 'nothing'
    do {
      try {
        const found = await look()
        if (found !== false && found !== null && found !== undefined) return found
      } catch (error) {
        last = error
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
    } while (Date.now() < end)
    const shown = await evaluate(() => `${location.pathname}: ${document.body.innerText.slice(0, 1500)}`)
    throw new Error(`Waited in vain for ${what} (last: ${last}) on ${shown}`)
  }
  /**
   * Runs the function `run` in the page, and returns its result. The function uses nothing from outside
   * itself; its arguments and result must be JSON.
   */
  const evaluate = <Args extends unknown[], Result>(run: (...args: Args) => Result, ...args: Args) =>
    driver.evaluate(`(${run})(...${JSON.stringify(args)})`) as Promise<Result>
  /**
   * Runs the function `run` in the page with the element that matches `target`, or with null if there is
   * none. Returns the result of the function.
   */
  const onElement = <Result>(target: ElementDescription, run: (element: Element | null) => Result) =>
    driver.evaluate(`(${run})((${findElement})(${JSON.stringify(target)}))`) as Promise<Result>
  const named = (target: ElementDescription) => JSON.stringify(target)
  const act = (target: ElementDescription, run: (element: TabElement) => Promise<void>) =>
    until(() => driver.withElement(target, run), named(target))

  return {
    driver,
    /** The URL of the server under test. */
    baseUrl,
    until,
    goto: (path: string) => driver.goto(new URL(path, baseUrl).href),
    evaluate,
    press: driver.press,
    resize: driver.resize,
    screenshot: driver.screenshot,
    click: (target: ElementDescription) => act(target, (element) => element.click()),
    type: (target: ElementDescription, text: string) => act(target, (element) => element.type(text)),
    upload: (target: ElementDescription, ...files: string[]) =>
      act({ hidden: true, ...target }, (e) => e.upload(files)),
    /** Empties a text field, and then types a text into it. */
    async fill(target: ElementDescription, text: string) {
      await until(() => onElement(target, emptyField), named(target))
      await act(target, (element) => element.type(text))
    },
    sees: (target: ElementDescription) => until(() => onElement(target, isThere), named(target)),
    seesNot: (target: ElementDescription) =>
      until(async () => !(await onElement(target, isThere)), `the end of ${named(target)}`),
    isAt: (path: string) =>
      until(() => evaluate((wanted) => location.pathname + location.search === wanted, path), path),
    /** Returns the value of a form field; null if there is no such field. */
    value: (target: ElementDescription) => onElement({ ...target, hidden: true }, fieldValue),
    /** Sends an API request from the page, with the session of the page. Returns the JSON of the response. */
    call: (method: string, path: string, body: object = {}) =>
      evaluate(sendApiRequest, method, path, JSON.stringify(body)) as Promise<never>,
    async hasNoErrors() {
      expect(await driver.takeErrors(), 'errors in the page').toEqual([])
    },
    /** Returns the number of pixels by which the page is wider than the window. */
    tooWide: () =>
      evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  }
}
export type Tab = ReturnType<typeof createTab>

// The browser runs each of the functions below in the page.

function isThere(element: Element | null) {
  return element !== null
}

function fieldValue(element: Element | null) {
  return (element as HTMLInputElement | null)?.value ?? null
}

/**
 * Empties a text field, and returns true; returns false if there is no field. Uses the setter of the
 * prototype, because React replaces the setter of the field.
 */
function emptyField(element: Element | null) {
  const field = element as HTMLInputElement | null
  if (!field) return false
  if (field.value === '') return true
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')!.set!.call(field, '')
  field.dispatchEvent(new Event('input', { bubbles: true }))
  return true
}

/**
 * Sends an API request from the page, waits for the response synchronously, and returns its JSON. A script
 * that WebDriver runs with `executeScript` cannot wait for a promise.
 */
function sendApiRequest(method: string, path: string, body: string) {
  const request = new XMLHttpRequest()
  if (!document.cookie.includes('XSRF-TOKEN')) {
    request.open('GET', '/sanctum/csrf-cookie', false)
    request.send()
  }
  const token = /XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? ''
  request.open(method, path, false)
  request.setRequestHeader('x-xsrf-token', decodeURIComponent(token))
  request.setRequestHeader('accept', 'application/json')
  if (method !== 'GET') request.setRequestHeader('content-type', 'application/json')
  request.send(method === 'GET' ? null : body)
  if (request.status >= 400) throw new Error(`${method} ${path}: ${request.status} ${request.responseText}`)
  return request.responseText ? JSON.parse(request.responseText) : null
}
