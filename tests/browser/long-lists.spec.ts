import type { Page } from '@playwright/test'
import { expect, fetchJson, type PageMember, test, writePost } from './fixture.ts'

const log = (page: Page) => page.getByRole('log')
const box = (page: Page) => page.getByRole('textbox', { name: 'Enter your message' })

/**
 * Returns the number of elements that match a selector (`all`), and how many of them the browser has laid out
 * (`here`).
 */
const laidOut = (page: Page, selector: string) =>
  page.evaluate((wanted) => {
    const all = [...document.querySelectorAll(wanted)]
    return {
      all: all.length,
      here: all.filter((one) => one.checkVisibility({ contentVisibilityAuto: true })).length,
    }
  }, selector)
/**
 * Searches for a text in the page as Ctrl-F does, from the current match on. Returns whether the browser
 * finds it.
 */
const finds = (page: Page, text: string) =>
  page.evaluate(
    (wanted) =>
      (window as unknown as { find(text: string, ...how: boolean[]): boolean }).find(
        wanted,
        false,
        false,
        true,
      ),
    text,
  )

test('a text search finds posts far from the window, although they are not laid out', async ({ member }) => {
  const { page } = await member('Ann')
  for (let i = 1; i <= 55; i++) await writePost(page, `Post number ${i}.\n\n\n\nAnd its end.`)
  await page.goto('/')
  await page.getByText('Post number 55.').waitFor()
  const oldest = page.getByText('Post number 1.')
  // Presses End repeatedly until the oldest post of this test is loaded, because the page fetches more posts
  // only near the end of the list. Posts of earlier tests may follow the oldest post of this test.
  await expect(async () => {
    await page.keyboard.press('End')
    await expect(oldest).toBeAttached({ timeout: 500 })
  }).toPass()
  await oldest.scrollIntoViewIfNeeded()
  await expect(oldest).toBeInViewport()
  await page.keyboard.press('Home')
  await expect(page.getByText('Post number 55.')).toBeInViewport()
  await expect.poll(async () => (await laidOut(page, 'article .prose')).here).toBeLessThan(30)
  expect((await laidOut(page, 'article .prose')).all).toBeGreaterThanOrEqual(55)
  expect(await finds(page, 'Post number 3.')).toBe(true)
  await expect(page.getByText('Post number 3.')).toBeInViewport()
})

async function talk(member: (name: string) => Promise<PageMember>, lines: number) {
  const ann = await member('Ann')
  const ben = await member('Ben')
  await fetchJson(ann.page, 'POST', `/api/follow/${ben.id}`)
  await fetchJson(ben.page, 'POST', `/api/follow/${ann.id}`)
  for (let i = 1; i <= lines; i++)
    await fetchJson(ann.page, 'POST', '/api/send-private-message', {
      input: `Line ${i}`,
      targetUserId: ben.id,
    })
  await ann.page.goto(`/privatechat/${ben.id}`)
  // Expects 50 messages, because the page shows only so many at first, and fetches older ones when the reader
  // scrolls to them.
  await expect(log(ann.page).locator('[data-message]')).toHaveCount(50)
  return { ann, ben }
}

/**
 * From now on, records in the page the texts of the messages and groups of messages in the chat's log that
 * change in the DOM, or that are added to it.
 */
const watchLog = (page: Page) =>
  log(page).evaluate((element) => {
    const kept = window as unknown as { drawn: string[] }
    kept.drawn = []
    const note = ({ target, addedNodes }: MutationRecord) => {
      const element = target instanceof Element ? target : target.parentElement
      const changed = element?.closest('.message, .message-chunk')
      kept.drawn.push(changed?.textContent ?? [...addedNodes].map((node) => node.textContent).join(' '))
    }
    new MutationObserver((records) => records.forEach(note)).observe(element, {
      subtree: true,
      childList: true,
      characterData: true,
    })
  })
const drawn = (page: Page) => page.evaluate(() => (window as unknown as { drawn: string[] }).drawn)

test('a new message, or typing, redraws nothing else; a long chat scrolls back to its beginning: no message is lost, and nothing jumps', async ({
  member,
}) => {
  const { ann, ben } = await talk(member, 160)
  const { page } = ann
  await expect(box(page)).toBeFocused()
  await watchLog(page)
  await box(page).pressSequentially('Typing away, and the list stays as it is.')
  expect(await drawn(page)).toEqual([])
  await fetchJson(ben.page, 'POST', '/api/send-private-message', {
    input: 'Line 161',
    targetUserId: ann.id,
  })
  await expect(log(page)).toContainText('Line 161')
  for (const text of await drawn(page)) expect(text).toContain('Line 161')

  const line = (n: number) => log(page).getByText(`Line ${n}`, { exact: true })
  const scrollTo = (n: number) => line(n).evaluate((element) => element.scrollIntoView({ block: 'center' }))
  await scrollTo(118)
  const before = await line(118).boundingBox()
  await expect(log(page).locator('[data-message]')).toHaveCount(101)
  const after = await line(118).boundingBox()
  expect(Math.abs(after!.y - before!.y)).toBeLessThan(2)
  for (const n of [62, 12]) await scrollTo(n)
  await expect(log(page).locator('.bubble')).toHaveText(
    Array.from({ length: 161 }, (_, at) => `Line ${at + 1}`),
  )
  await page.keyboard.press('End')
  expect(await finds(page, 'Line 7')).toBe(true)
})

test('a post is given at least the space that it needs before it is laid out', async ({ member }) => {
  const { page } = await member('Ann')
  const texts = [
    'One line.',
    'A sentence of some length. '.repeat(12),
    'とても長い文章です。'.repeat(15),
    '긴 문장입니다. '.repeat(12),
    'a\n'.repeat(40),
  ]
  for (const text of texts) await writePost(page, text)
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 300 })
    await page.goto('/')
    await expect(page.locator('article[data-post]').nth(4)).toBeAttached()
    await page.waitForLoadState('networkidle')
    // Compares the reserved space with the height of the same post without it.
    const tooSmall = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.cards > article[data-post]')]
        .slice(0, 4)
        .flatMap((post) => {
          const { containIntrinsicBlockSize, paddingBlock } = getComputedStyle(post)
          const reserved = Number.parseFloat(containIntrinsicBlockSize.replace('auto', ''))
          const padding = paddingBlock.split(' ').reduce((sum, side) => sum + Number.parseFloat(side), 0)
          post.style.contentVisibility = 'visible'
          const needed = post.getBoundingClientRect().height - padding
          return needed > reserved ? [`${post.innerText.slice(0, 20)}: ${needed} px, not ${reserved}`] : []
        }),
    )
    expect(tooSmall, `${width} px`).toEqual([])
  }
})
