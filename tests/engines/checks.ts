import { expect } from 'vitest'
import type { Tab } from './tab.ts'

export const countElements = (tab: Tab, selector: string) =>
  tab.evaluate((wanted) => document.querySelectorAll(wanted).length, selector)
export const heightOf = (tab: Tab, selector: string) =>
  tab.evaluate((wanted) => document.querySelector(wanted)?.getBoundingClientRect().height ?? 0, selector)
/**
 * Returns the number of likes of the first post on the page, as text; undefined if the page shows no such
 * number.
 */
export const firstLikeCount = (tab: Tab) =>
  tab.evaluate(() =>
    document.querySelector('article .like-count .count, article .likes')?.textContent?.trim(),
  )

/**
 * Expects that the toast (the notice at the edge of the window) takes less than a third of the window's
 * height.
 */
export async function expectSmallToast(tab: Tab) {
  const { height, room } = await tab.evaluate(() => {
    const list =
      document.querySelector('[role=alert]')!.closest('[popover]') ?? document.querySelector('[role=alert]')!
    return { height: list.getBoundingClientRect().height, room: innerHeight }
  })
  expect(height).toBeLessThan(room / 3)
}

export const isSamePlace = (a: { post: string; top: number } | null, b: typeof a) =>
  a !== null && a.post === b?.post && Math.abs(a.top - b.top) < 4

// Tests send each of the functions below to the browser as source code, and the browser runs it in the page.
/**
 * Returns the id of the post at the top of the window, and its distance from the top in pixels; null if no
 * post is there. Tests compare these instead of the scroll position, because heights of posts above may only
 * be estimates.
 */
export function topPost() {
  const post = document.elementFromPoint(innerWidth / 2, 80)?.closest<HTMLElement>('[data-post]')
  return post ? { post: post.dataset.post!, top: post.getBoundingClientRect().top } : null
}
/**
 * Whether the posts have stayed where they are for twenty frames, which the first call begins to count. An
 * engine may give a post its real height some frames after it has come into the window.
 */
export function isAtRest() {
  const seen = window as unknown as { restingFrames?: number }
  if (seen.restingFrames === undefined) {
    let last = ''
    seen.restingFrames = 0
    const look = () => {
      const posts = [...document.querySelectorAll('[data-post]')]
      const now = posts.map((post) => post.getBoundingClientRect().top).join()
      seen.restingFrames = now === last ? seen.restingFrames! + 1 : 0
      last = now
      requestAnimationFrame(look)
    }
    look()
  }
  return seen.restingFrames >= 20
}
/**
 * Scrolls to 1500 px below the top of the page. Returns whether the page is now scrolled by more than 600
 * px, because a page that is still loading may be too short.
 */
export function scrollPast() {
  scrollTo({ top: 1500, behavior: 'instant' })
  return scrollY > 600
}
export function arePicturesLoaded() {
  const pictures = [...document.querySelectorAll<HTMLImageElement>('main img')]
  return pictures.length > 0 && pictures.every(({ complete, naturalWidth }) => complete && naturalWidth > 0)
}
export function isCropReady() {
  const picture = document.querySelector<HTMLImageElement>('dialog img')
  return picture?.complete && picture.getBoundingClientRect().width > 50
}
export function focusElement(selector: string) {
  document.querySelector<HTMLElement>(selector)!.focus()
}
export function isClearIconHidden() {
  const field = document.querySelector('input[type=search]')!
  const native = getComputedStyle(field, '::-webkit-search-cancel-button')
  return native.appearance !== 'auto' || native.display === 'none' || native.content === 'normal'
}

/**
 * Chooses a language and a theme in a window of a desktop's size. Then opens each of the pages at the given
 * size (width and height in pixels), and expects that no page is wider than the window.
 */
export async function expectPagesFit(
  tab: Tab,
  paths: readonly string[],
  { lang, theme, size }: { lang: '日本語' | 'English'; theme: '暗い' | 'Light'; size: [number, number] },
) {
  await tab.resize(1440, 900)
  await tab.goto('/login')
  await tab.click({ css: 'button, label', text: lang, within: '.footer' })
  await tab.click({ role: 'button', name: theme })
  await tab.resize(...size)
  for (const path of paths) {
    await tab.goto(path)
    await tab.sees({ css: 'h1' })
    expect(await tab.tooWide(), `${path}: pixels too wide`).toBeLessThanOrEqual(0)
  }
  const shown = await tab.evaluate(() => {
    const { lang, dataset } = document.documentElement
    return [lang, dataset.theme, innerWidth]
  })
  expect(shown).toEqual([lang === 'English' ? 'en' : 'ja', theme === 'Light' ? 'light' : 'dark', size[0]])
}
