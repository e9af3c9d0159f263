import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoOverflow, fetchJson, test, writePost } from './fixture.ts'

const cardOf = (page: Page, post: number) => page.locator(`article[data-post="${post}"]`)
const latestOf = (page: Page, post: number) =>
  cardOf(page, post).getByRole('list', { name: 'Newest replies' }).getByRole('listitem')

async function reply(page: Page, post: number, text: string, more: object = {}): Promise<{ id: number }> {
  const answer = await fetchJson(page, 'POST', `/api/posts/${post}/replies`, {
    text,
    ...more,
  })
  return answer.reply
}

test('a list shows the two newest replies live, to visitors too, and a click opens the post at the reply', async ({
  member,
  page: visitor,
}) => {
  const [ann, ben, cleo] = [await member('Ann'), await member('Ben'), await member('Cleo')]
  const { post } = await writePost(ann.page, 'Who brings the tea?')
  await ann.page.goto('/')
  await cleo.page.goto(`/people/${ann.id}`)
  await expect(cardOf(ann.page, post.id)).toBeVisible()
  await expect(latestOf(ann.page, post.id)).toHaveCount(0)
  const first = await reply(ben.page, post.id, 'I do')
  for (const { page } of [ann, cleo]) await expect(latestOf(page, post.id)).toContainText(['Ben I do'])
  await visitor.goto('/')
  await expect(latestOf(visitor, post.id)).toContainText(['I do'])
  const second = await reply(cleo.page, post.id, 'Thank you!', { answers_id: first.id })
  await reply(ben.page, post.id, 'And #cake')
  for (const { page } of [ann, cleo]) {
    await expect(latestOf(page, post.id)).toContainText(['@Ben Thank you!', 'And #cake'])
    await expect(cardOf(page, post.id).getByRole('link', { name: 'View all replies' })).toBeVisible()
  }
  await expect(latestOf(visitor, post.id)).toContainText(['Thank you!', 'And #cake'])
  await expectAccessible(ann.page)

  await fetchJson(ben.page, 'PUT', `/api/replies/${first.id}`, {
    text: 'I do bring it',
  })
  await fetchJson(cleo.page, 'DELETE', `/api/replies/${second.id}`)
  for (const { page } of [ann, cleo]) {
    await expect(latestOf(page, post.id)).toContainText(['I do bring it', 'And #cake'])
    await expect(cardOf(page, post.id).getByRole('link', { name: /View all/ })).toHaveCount(0)
  }

  await expect(latestOf(ann.page, post.id).getByRole('link', { name: '#cake' })).toHaveAttribute(
    'href',
    '/tags/cake',
  )
  await latestOf(ann.page, post.id).first().click()
  await expect(ann.page).toHaveURL(`/posts/${post.id}?reply=${first.id}`)
  await expect(ann.page.locator(`article[data-reply="${first.id}"]`)).toBeFocused()
  // Expects no list of newest replies on the page of the post, because this page already shows all replies.
  await expect(ann.page.getByRole('list', { name: 'Newest replies' })).toHaveCount(0)
  await ann.page.getByLabel('Write a reply').fill('Good')
  await ann.page.getByLabel('Write a reply').press('Control+Enter')
  await expect(ann.page.getByRole('article', { name: 'Reply by Ann' })).toBeVisible()
  await ann.page.getByRole('link', { name: 'Home', exact: true }).first().click()
  await expect(latestOf(ann.page, post.id)).toContainText(['And #cake', 'Good'])
  await expectNoOverflow(ann.page)
})

test('a block takes replies away, and its end brings them back', async ({ member }) => {
  const [ann, ben, cleo] = [await member('Ann'), await member('Ben'), await member('Cleo')]
  const { post } = await writePost(cleo.page, 'Blocks')
  await reply(ann.page, post.id, 'Of Ann')
  await reply(ben.page, post.id, 'Of Ben')
  await ann.page.goto('/')
  await expect(latestOf(ann.page, post.id)).toContainText(['Of Ann', 'Of Ben'])
  await ann.page.goto(`/people/${ben.id}`)
  await ann.page.getByRole('button', { name: 'More about Ben' }).click()
  await ann.page.getByRole('button', { name: 'Block…' }).click()
  await ann.page.getByRole('dialog').getByRole('button', { name: 'Block', exact: true }).click()
  await expect(ann.page).toHaveURL('/account#blocked')
  await ann.page.getByRole('link', { name: 'Home', exact: true }).first().click()
  await expect(latestOf(ann.page, post.id)).toContainText(['Of Ann'])
  await reply(ben.page, post.id, 'Unseen')
  await reply(ann.page, post.id, 'Seen')
  await expect(latestOf(ann.page, post.id)).toContainText(['Of Ann', 'Seen'])
  await ann.page.goto('/account')
  await ann.page.getByRole('button', { name: 'Unblock Ben' }).click()
  await expect(ann.page.getByText('You have blocked nobody.')).toBeVisible()
  await ann.page.getByRole('link', { name: 'Home', exact: true }).first().click()
  await expect(latestOf(ann.page, post.id)).toContainText(['Unseen', 'Seen'])
})

test('a live reply moves nothing at which the reader points', async ({ member }) => {
  const [ann, ben] = [await member('Ann'), await member('Ben')]
  const posts: number[] = []
  for (let n = 0; n < 6; n++) posts.push((await writePost(ben.page, `Number ${n}`)).post.id)
  const [oldest, older, middle, newer] = posts as [number, number, number, number]
  await ann.page.setViewportSize({ width: 390, height: 700 })
  await ann.page.goto('/')
  const like = cardOf(ann.page, middle).getByRole('button', { name: /^Like/ })
  await like.scrollIntoViewIfNeeded()
  await like.hover()
  await ann.page.waitForLoadState('networkidle')
  const place = async () => (await like.boundingBox())!.y
  const before = await place()
  // Adds replies to posts above, at, and below the post at which the mouse of the reader points.
  for (const [n, post] of [newer, middle, older, newer, newer, oldest].entries())
    await reply(ben.page, post, `Reply ${n}`)
  await expect(latestOf(ann.page, newer)).toHaveCount(2)
  await expect(latestOf(ann.page, oldest)).toHaveCount(1)
  expect(Math.abs((await place()) - before)).toBeLessThan(1)

  // Expects that a reply at which the mouse of the reader points stays until the mouse points elsewhere.
  const rows = latestOf(ann.page, newer)
  await expect(rows).toContainText(['Reply 3', 'Reply 4'])
  await rows.last().hover()
  await reply(ben.page, newer, 'The newest')
  await expect(cardOf(ann.page, newer).getByRole('link', { name: '4 replies', exact: true })).toBeVisible()
  await expect(rows).toContainText(['Reply 3', 'Reply 4'])
  await like.hover()
  await expect(rows).toContainText(['Reply 4', 'The newest'])
})

test('a failed request shows no error, and is repeated; the keyboard opens a reply, and all replies', async ({
  member,
}) => {
  const { page } = await member('Ann')
  const { post } = await writePost(page, 'Keys')
  await page.goto('/account')
  let failures = 0
  await page.route('**/api/latest-replies?*', (route) => (failures++ ? route.continue() : route.abort()))
  for (const text of ['one', 'two', 'three']) await reply(page, post.id, text)
  await page.getByRole('link', { name: 'Home', exact: true }).first().click()
  await expect(cardOf(page, post.id)).toBeVisible()
  await expect(latestOf(page, post.id)).toContainText(['two', 'three'])
  expect(failures).toBeGreaterThan(1)
  await expect(page.locator('.toast, .notice')).toHaveCount(0)

  const all = cardOf(page, post.id).getByRole('link', { name: 'View all replies' })
  await all.focus()
  await page.keyboard.press('Tab')
  await expect(
    latestOf(page, post.id)
      .first()
      .getByRole('link', { name: /^Reply by Ann, / }),
  ).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\?reply=/)
  await page.goBack()
  await all.click()
  await expect(page).toHaveURL(`/posts/${post.id}`)
})
