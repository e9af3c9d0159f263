import { expect } from 'vitest'
import type { TestBrowserTabController } from './tab.ts'

export const countElementsInBrowserTab = (tab: TestBrowserTabController, selector: string) =>
  tab.evaluate((wanted) => document.querySelectorAll(wanted).length, selector)
export const measureElementHeightInBrowserTab = (tab: TestBrowserTabController, selector: string) =>
  tab.evaluate((wanted) => document.querySelector(wanted)?.getBoundingClientRect().height ?? 0, selector)
/**
 * Returns the number of likes of the first post on the page, as text; undefined if the page shows no such
 * number.
 */
export const readFirstPostLikeCountTextInBrowserTab = (tab: TestBrowserTabController) =>
  tab.evaluate(() =>
    document.querySelector('article .like-count .count, article .likes')?.textContent?.trim(),
  )

/**
 * Expects that the toast (the notice at the edge of the window) takes less than a third of the window's
 * height.
 */
export async function expectSmallToast(tab: TestBrowserTabController) {
  const { height, room } = await tab.evaluate(() => {
    const list =
      document.querySelector('[role=alert]')!.closest('[popover]') ?? document.querySelector('[role=alert]')!
    return { height: list.getBoundingClientRect().height, room: innerHeight }
  })
  expect(height).toBeLessThan(room / 3)
}

/** Waits 300 ms. Returns true if the page has not scrolled in this time, and false otherwise. */
export async function isPageUnscrolledDuringNext300Ms(tab: TestBrowserTabController) {
  const before = await tab.evaluate(readTopPostIdAndOffsetInTestedPage)
  await new Promise((resolve) => setTimeout(resolve, 300))
  return isSameScrollPosition(await tab.evaluate(readTopPostIdAndOffsetInTestedPage), before)
}
export const isSameScrollPosition = (a: { post: string; top: number } | null, b: typeof a) =>
  a !== null && a.post === b?.post && Math.abs(a.top - b.top) < 4

// Tests send each of the functions below to the browser as source code, and the browser runs it in the page.
/**
 * Returns the id of the post at the top of the window, and its distance from the top in pixels; null if no
 * post is there. Tests compare these instead of the scroll position, because heights of posts above may only
 * be estimates.
 */
export function readTopPostIdAndOffsetInTestedPage() {
  const post = document.elementFromPoint(innerWidth / 2, 80)?.closest<HTMLElement>('[data-post]')
  return post ? { post: post.dataset.post!, top: post.getBoundingClientRect().top } : null
}
/**
 * Scrolls to 1500 px below the top of the page. Returns whether the page is now scrolled by more than 600
 * px, because a page that is still loading may be too short.
 */
export function scrollTestedPageAndCheckIfPast600Px() {
  scrollTo({ top: 1500, behavior: 'instant' })
  return scrollY > 600
}
export function arePicturesOfTestedPageLoaded() {
  const pictures = [...document.querySelectorAll<HTMLImageElement>('main img')]
  return pictures.length > 0 && pictures.every(({ complete, naturalWidth }) => complete && naturalWidth > 0)
}
export function isImageCropDialogReadyInTestedPage() {
  const picture = document.querySelector<HTMLImageElement>('dialog img')
  return picture?.complete && picture.getBoundingClientRect().width > 50
}
export function focusElementInTestedPage(selector: string) {
  document.querySelector<HTMLElement>(selector)!.focus()
}
export function isNativeSearchClearIconHiddenInTestedPage() {
  const field = document.querySelector('input[type=search]')!
  const native = getComputedStyle(field, '::-webkit-search-cancel-button')
  return native.appearance !== 'auto' || native.display === 'none' || native.content === 'normal'
}

/**
 * Chooses a language and a theme in a window of a desktop's size. Then opens each of the pages at the given
 * size (width and height in pixels), and expects that no page is wider than the window.
 */
export async function expectPagesFitBrowserTab(
  tab: TestBrowserTabController,
  paths: readonly string[],
  { lang, theme, size }: { lang: '日本語' | 'English'; theme: 'ダーク' | 'Light'; size: [number, number] },
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
