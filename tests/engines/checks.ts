import { expect } from 'vitest'
import type { Tab } from './tab.ts'

export const count = (tab: Tab, selector: string) =>
  tab.evaluate((wanted) => document.querySelectorAll(wanted).length, selector)
export const heightOf = (tab: Tab, selector: string) =>
  tab.evaluate((wanted) => document.querySelector(wanted)?.getBoundingClientRect().height ?? 0, selector)
export const likesOf = (tab: Tab) =>
  tab.evaluate(() => document.querySelector('article .like .count, article .likes')?.textContent?.trim())

/** A toast stands at an edge of the window and takes little of its height. */
export async function toastKeepsToItsCorner(tab: Tab) {
  const { height, room } = await tab.evaluate(() => {
    const list =
      document.querySelector('[role=alert]')!.closest('[popover]') ?? document.querySelector('[role=alert]')!
    return { height: list.getBoundingClientRect().height, room: innerHeight }
  })
  expect(height).toBeLessThan(room / 3)
}

/** Whether the page has stopped to move. */
export async function isAtRest(tab: Tab) {
  const before = await tab.evaluate(topPost)
  await new Promise((resolve) => setTimeout(resolve, 300))
  return isNear(await tab.evaluate(topPost), before)
}
export const isNear = (a: { post: string; top: number } | null, b: typeof a) =>
  a !== null && a.post === b?.post && Math.abs(a.top - b.top) < 4

// These run in the page.
/** The post at the top of the window. Heights of the posts above it may be estimates. */
export function topPost() {
  const post = document.elementFromPoint(innerWidth / 2, 80)?.closest<HTMLElement>('[data-post]')
  return post ? { post: post.dataset.post!, top: post.getBoundingClientRect().top } : null
}
export function picturesAreDrawn() {
  const pictures = [...document.querySelectorAll<HTMLImageElement>('main img')]
  return pictures.length > 0 && pictures.every(({ complete, naturalWidth }) => complete && naturalWidth > 0)
}
export function cropIsReady() {
  const picture = document.querySelector<HTMLImageElement>('dialog img')
  return picture?.complete && picture.getBoundingClientRect().width > 50
}
export function focusOn(selector: string) {
  document.querySelector<HTMLElement>(selector)!.focus()
}
export function searchFieldHasOneClearIcon() {
  const field = document.querySelector('input[type=search]')!
  const native = getComputedStyle(field, '::-webkit-search-cancel-button')
  return native.appearance !== 'auto' || native.display === 'none' || native.content === 'normal'
}
