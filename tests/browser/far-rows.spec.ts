import type { Locator, Page } from '@playwright/test'
import { annAndBen, messageLog, openChat, sendMessage } from './chat-helpers.ts'
import { expect, fetchJson, test, writePost } from './fixture.ts'

// Rows of long lists that are far from the visible area have only their texts (web/near-rows.ts).

const createPost = async (page: Page, text: string): Promise<number> => (await writePost(page, text)).post.id

/** A window in which a few rows are already far from the visible area. */
const smallWindow = { width: 390, height: 300 }

/** Presses a key until the condition is true, because the page loads more rows only near the end of a list. */
const pressUntil = (page: Page, key: string, isDone: () => Promise<void>) =>
  expect(async () => {
    await page.keyboard.press(key)
    await isDone()
  }).toPass()

/**
 * Sets the scroll position of an element (of the page, if the locator matches the root element), and returns
 * whether an element with the selector is in the document when the browser paints the next frame.
 */
const isPaintedAfterJump = (scroller: Locator, top: number, selector: string) =>
  scroller.evaluate(
    async (element, { top, selector }) => {
      element.scrollTop = top
      await new Promise(requestAnimationFrame)
      return document.querySelector(selector) !== null
    },
    { top, selector },
  )

test('a post far from the window has only its text, and is complete when the reader is back, without a reply that was deleted meanwhile', async ({
  member,
}) => {
  const { page } = await member('Ann')
  const ben = await member('Ben')
  await page.setViewportSize(smallWindow)
  const ids: number[] = []
  for (let n = 1; n <= 40; n++) {
    const text = n === 39 ? `A long post ${'with many lines\n'.repeat(30)}` : `Post ${n} of many`
    ids.push(await createPost(page, text))
  }
  const post = (n: number) => page.locator(`article[data-post="${ids[n - 1]}"]`)
  const { reply } = await fetchJson(ben.page, 'POST', `/api/posts/${ids[37]}/replies`, {
    text: 'Soon deleted',
  })
  const footer = (n: number) => `article[data-post="${ids[n - 1]}"] .post-footer`
  const opened = page.waitForEvent('websocket')
  await page.goto('/')
  const socket = await opened
  await expect(post(38)).toContainText('Soon deleted')
  await post(39).getByRole('button', { name: 'Show more' }).click()
  // Takes the focus away, because a post with the focus stays complete too.
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  // Waits for the data that the page requests once it is connected.
  await page.waitForLoadState('networkidle')
  await pressUntil(page, 'End', () => expect(post(1)).toBeAttached({ timeout: 500 }))
  await post(1).evaluate((element) => element.scrollIntoView())
  await expect(page.locator(footer(40))).toHaveCount(0)
  await expect(post(40)).toHaveText('AnnPost 40 of many')
  // The browser lays rows out that are selected. They keep their heights then too.
  const changes = await page.evaluate(async () => {
    const far = [...document.querySelectorAll<HTMLElement>('[data-far]')]
    const heights = () => far.map((row) => row.getBoundingClientRect().height)
    const before = heights()
    getSelection()!.selectAllChildren(document.body)
    for (let n = 0; n < 2; n++) await new Promise(requestAnimationFrame)
    const after = heights()
    getSelection()!.removeAllRanges()
    return far.flatMap((row, index) =>
      row.dataset.far === undefined ? [] : Math.abs(after[index]! - before[index]!),
    )
  })
  expect(changes.length).toBeGreaterThan(5)
  expect(Math.max(...changes)).toBeLessThan(1)
  // A new rendering would close the text that the reader has opened.
  await expect(post(39).getByRole('button', { name: 'Show less' })).toBeAttached()

  await expect(post(38)).toHaveAttribute('data-far')
  const told = socket.waitForEvent('framereceived', ({ payload }) => `${payload}`.includes('ReplyDeleted'))
  await fetchJson(ben.page, 'DELETE', `/api/replies/${reply.id}`)
  await told

  expect(await isPaintedAfterJump(page.locator(':root'), 0, footer(40))).toBe(true)
  await expect(post(40).getByRole('button', { name: 'Like', exact: true })).toBeVisible()
  await expect(page.locator(footer(1))).toHaveCount(0)
  await post(38).scrollIntoViewIfNeeded()
  await expect(post(38).getByRole('button', { name: 'Like', exact: true })).toBeVisible()
  await expect(post(38)).not.toContainText('Soon deleted')
})

test('messages far from the visible ones have only their texts, and a quote still leads to them', async ({
  member,
}) => {
  const { ann, ben } = await annAndBen(member)
  const { page } = ann
  await page.setViewportSize({ ...smallWindow, height: 400 })
  const first = await sendMessage(ann, ben, 'The first of many lines')
  for (let n = 2; n <= 260; n++) await sendMessage(ben, ann, `Line ${n}`)
  await fetchJson(ben.page, 'POST', '/api/send-private-message', {
    input: 'An answer to the first',
    targetUserId: ann.id,
    quotes_id: first.message.id,
  })
  await openChat(ann, ben)
  const log = messageLog(page)
  const message = log.locator(`[data-message="${first.message.id}"]`)
  const menu = `[data-message="${first.message.id}"] .actions`
  await log.focus()
  await pressUntil(page, 'Home', () => expect(message).toBeVisible({ timeout: 500 }))
  await expect(page.locator(menu)).toBeAttached()

  // The focus stays in the message while the list moves away from it, and goes on to the next message.
  const chunks = log.locator('.message-chunk')
  await chunks.first().locator('.actions > button').last().focus()
  await log.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await expect(chunks.nth(1)).toHaveAttribute('data-far')
  await page.keyboard.press('ArrowDown')
  await expect(chunks.nth(1).locator('.actions > button').first()).toBeFocused()

  await log.focus()
  await page.keyboard.press('End')
  await expect(page.locator(menu)).toHaveCount(0)
  await expect(message).toHaveText('The first of many lines')
  expect(await isPaintedAfterJump(log, 0, menu)).toBe(true)
  await page.keyboard.press('End')
  await expect(page.locator(menu)).toHaveCount(0)

  await log.locator('.message > .quote').click()
  await expect(page.locator('[data-highlighted]')).toContainText('The first of many lines')
  await expect(message).toBeInViewport()
  await expect(message.locator('.actions > button')).toBeFocused()
})
