import type { Page } from '@playwright/test'
import { annAndBen, messageLog, openChat, sendMessage } from './chat-helpers.ts'
import { expect, expectAccessible, expectNoOverflow, fetchJson, test, writePost } from './fixture.ts'

const reactByApi = (page: Page, path: string, emoji: string) =>
  fetchJson(page, 'PUT', `${path}/reactions/${encodeURIComponent(emoji)}`)
const getOpenMenu = (page: Page) => page.locator('.menu:popover-open')

test('two people react to a post by mouse and keyboard, live and after an outage, and see who reacted', async ({
  member,
}) => {
  const [ann, ben] = [await member('Ann'), await member('Ben')]
  const { post } = await writePost(ann.page, 'Who brings the tea?')
  let connection: { close: () => unknown } | undefined
  await ben.page.routeWebSocket(/\/app\//, (socket) => {
    connection = socket
    socket.connectToServer()
  })
  await ann.page.goto('/')
  await ben.page.goto(`/posts/${post.id}`)
  const [annCard, benCard] = [ann, ben].map(({ page }) => page.locator(`[data-post="${post.id}"]`))

  // Ben chooses a reaction with the keyboard: the arrow keys move between the emoji, and Escape closes their
  // menu.
  const add = benCard!.getByRole('button', { name: 'Add a reaction' })
  await add.focus()
  await ben.page.keyboard.press('ArrowDown')
  const first = getOpenMenu(ben.page).getByRole('button').first()
  await expect(first).toBeFocused()
  await ben.page.keyboard.press('Escape')
  await expect(getOpenMenu(ben.page)).toHaveCount(0)
  await expect(add).toBeFocused()
  await ben.page.keyboard.press('ArrowDown')
  await ben.page.keyboard.press('ArrowRight')
  await ben.page.keyboard.press('ArrowLeft')
  await ben.page.keyboard.press('ArrowLeft')
  await ben.page.keyboard.press('ArrowRight')
  await ben.page.keyboard.press('Enter')
  await expect(add).toBeFocused()
  const bensChip = benCard!.getByRole('button', { name: '👍, only you' })
  await expect(bensChip).toHaveAttribute('aria-pressed', 'true')

  // Ann sees Ben's reaction without a reload, and reacts with the same emoji.
  const annsChip = annCard!.getByRole('button', { name: /^👍/ })
  await expect(annsChip).toHaveAccessibleName('👍, 1 person')
  await annsChip.click()
  await expect(annsChip).toHaveAccessibleName('👍, 2 people, you too')
  await expect(benCard!.getByRole('button', { name: '👍, 2 people, you too' })).toBeVisible()

  await annCard!.getByRole('button', { name: 'Who reacted' }).click()
  const dialog = ann.page.getByRole('dialog', { name: 'Who reacted' })
  await expect(dialog.getByRole('listitem')).toHaveText([/Ann/, /Ben/])
  await ann.page.keyboard.press('Escape')

  // Ben takes his reaction back with the keyboard.
  await benCard!.getByRole('button', { name: /^👍/ }).focus()
  await ben.page.keyboard.press('Space')
  await expect(benCard!.getByRole('button', { name: '👍, 1 person' })).toBeFocused()
  await expect(annCard!.getByRole('button', { name: '👍, only you' })).toBeVisible()
  await annCard!.getByRole('button', { name: /^👍/ }).focus()
  await ann.page.keyboard.press('Space')
  await expect(annCard!.getByRole('group', { name: 'Reactions' })).toHaveCount(0)
  await expect(annCard!.getByRole('button', { name: 'Add a reaction' })).toBeFocused()
  await expect(benCard!.getByRole('group', { name: 'Reactions' })).toHaveCount(0)

  // Ann reacts while Ben's connection is lost.
  await connection!.close()
  await reactByApi(ann.page, `/api/posts/${post.id}`, '🎉')
  // Waits up to a minute, because the real-time client waits before it connects again.
  await expect(benCard!.getByRole('button', { name: '🎉, 1 person' })).toBeVisible({ timeout: 60_000 })
})

test('a reaction that fails is taken off the page with a message', async ({ member }) => {
  const { page } = await member('アン', { lang: 'ja' })
  const { post } = await writePost(page, 'React to this')
  await page.goto(`/posts/${post.id}`)
  await page.route('**/reactions/*', (route) => route.fulfill({ status: 500, json: { message: 'Error' } }))
  await page.getByRole('button', { name: 'リアクションする' }).click()
  await getOpenMenu(page).getByRole('button', { name: '🎉' }).click()
  await expect(page.locator('.toast')).toContainText('リアクションできませんでした。')
  await expect(page.getByRole('group', { name: 'リアクション', exact: true })).toHaveCount(0)
  await page.unroute('**/reactions/*')
  await page.getByRole('button', { name: 'リアクションする' }).click()
  await getOpenMenu(page).getByRole('button', { name: '🎉' }).click()
  await expect(page.getByRole('button', { name: '🎉 あなただけ' })).toBeVisible()
  await expect(page.locator('.toast')).toHaveCount(0)
})

test('people react to a reply, and visitors see the number without buttons', async ({ member, page }) => {
  const [ann, ben] = [await member('Ann'), await member('Ben')]
  const { post } = await writePost(ann.page, 'Who brings the tea?')
  const { reply } = await fetchJson(ben.page, 'POST', `/api/posts/${post.id}/replies`, {
    text: 'I do',
  })
  await ben.page.goto(`/posts/${post.id}`)
  await reactByApi(ann.page, `/api/replies/${reply.id}`, '🙏')
  const card = ben.page.locator(`[data-reply="${reply.id}"]`)
  await expect(card.getByRole('button', { name: '🙏, 1 person' })).toBeVisible()
  await card.getByRole('button', { name: 'Add a reaction' }).click()
  await getOpenMenu(ben.page).getByRole('button', { name: '😂' }).click()
  await expect(card.getByRole('button', { name: '😂, only you' })).toBeVisible()

  await page.goto(`/posts/${post.id}`)
  const shown = page.locator(`[data-reply="${reply.id}"]`).getByRole('group', { name: 'Reactions' })
  await expect(shown).toContainText('🙏, 1 person')
  await expect(shown.getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Add a reaction' })).toHaveCount(0)
})

test('two people react to a message from its menu and by its chips, and see who reacted', async ({
  member,
}) => {
  const { ann, ben } = await annAndBen(member)
  await sendMessage(ann, ben, 'Shall we meet?')
  await openChat(ann, ben)
  await openChat(ben, ann)
  const [annLog, benLog] = [messageLog(ann.page), messageLog(ben.page)]
  const openMessageMenu = async (page: Page) => {
    await messageLog(page).locator('.bubble', { hasText: 'Shall we meet?' }).hover()
    await page.getByRole('button', { name: 'More about “Shall we meet?”' }).click()
  }
  await openMessageMenu(ben.page)
  await getOpenMenu(ben.page).getByRole('button', { name: '👍' }).click()
  await expect(benLog.getByRole('button', { name: '👍, only you' })).toBeVisible()
  const annsChip = annLog.getByRole('button', { name: /^👍/ })
  await expect(annsChip).toHaveAccessibleName('👍, 1 person')
  await annsChip.click()
  await expect(benLog.getByRole('button', { name: '👍, 2 people, you too' })).toBeVisible()

  await openMessageMenu(ann.page)
  await expect(getOpenMenu(ann.page).getByRole('button', { name: '👍' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await getOpenMenu(ann.page).getByRole('button', { name: 'Who reacted' }).click()
  const dialog = ann.page.getByRole('dialog', { name: 'Who reacted' })
  await expect(dialog.getByRole('listitem')).toHaveText([/Ann/, /Ben/])
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toHaveCount(0)

  // The arrow keys lead from the menu button of a message to its reactions. The Tab key skips the reactions.
  const menuButton = ann.page.getByRole('button', { name: 'More about “Shall we meet?”' })
  await menuButton.focus()
  await ann.page.keyboard.press('ArrowRight')
  await expect(annsChip).toBeFocused()
  await ann.page.keyboard.press('Space')
  await expect(benLog.getByRole('button', { name: '👍, only you' })).toBeVisible()
  await expect(annsChip).toBeFocused()
  await ann.page.keyboard.press('Space')
  await expect(annsChip).toHaveAccessibleName('👍, 2 people, you too')
  await ann.page.keyboard.press('ArrowRight')
  await expect(annsChip).toBeFocused()
  await ann.page.keyboard.press('ArrowLeft')
  await expect(menuButton).toBeFocused()

  // Ben sends a new message, and reacts to it. Expects that Ann sees this first reaction to the message.
  const sent = await sendMessage(ben, ann, 'At seven?')
  await expect(annLog.getByText('At seven?')).toBeVisible()
  await reactByApi(ben.page, `/api/chat-messages/${sent.message.id}`, '🎉')
  await expect(annLog.getByRole('button', { name: '🎉, 1 person' })).toBeVisible()
  await ann.page.setViewportSize({ width: 320, height: 640 })
  await expectNoOverflow(ann.page)
})

test('a notification about a reaction arrives live, and leads to the reply', async ({ member }) => {
  const [ann, ben] = [await member('Ann'), await member('Ben')]
  const { post } = await writePost(ben.page, 'Who brings the tea?')
  const replyBy = (page: Page, text: string) =>
    fetchJson(page, 'POST', `/api/posts/${post.id}/replies`, { text })
  const { reply } = await replyBy(ann.page, 'I do')
  // Writes so many replies that the page of the post does not load the first reply at once.
  await Promise.all(Array.from({ length: 22 }, (_, n) => replyBy(ben.page, `Number ${n + 1}.`)))
  // Resolves when the page has received the number of unread notifications from the API. The page requests it
  // as soon as it receives real-time events.
  const subscribed = ann.page.waitForResponse(/\/api\/notifications\/unread$/)
  await ann.page.goto('/notifications')
  await expect(ann.page.getByText('Nothing yet.')).toBeVisible()
  await subscribed
  for (const emoji of ['👍', '🎉']) await reactByApi(ben.page, `/api/replies/${reply.id}`, emoji)
  const row = ann.page.getByRole('link', { name: /Ben.*reacted 👍 🎉 to your reply/ })
  await expect(row).toContainText('I do')
  await expectAccessible(ann.page)
  await row.click()
  const card = ann.page.locator(`[data-reply="${reply.id}"]`)
  await expect(card).toBeFocused()
  await expect(card).toBeInViewport()
})

test('an admin chooses the emoji, and the field names what is wrong with them', async ({ admin }) => {
  const { page } = await admin('Ann')
  await page.goto('/admin/settings')
  const field = page.getByLabel('Emoji for reactions')
  const { settings: before } = await (await page.request.get('/api/admin/settings')).json()
  const save = page.getByRole('button', { name: 'Save emoji' })
  for (const [typed, error] of [
    ['👍 🎉 🙏 😮', 'needs 5 to 8 emoji; it has 4'],
    ['👍 🎉 🙏 😮 x', 'has “x”, which is not an emoji'],
    ['👍 🎉 🙏 😮 👍', 'has 👍 twice'],
  ] as const) {
    await field.fill(typed)
    await save.click()
    await expect(field).toHaveAccessibleDescription(new RegExp(error))
  }
  await expectAccessible(page)
  await field.fill('🍵👍🏽 👩‍🚀, 🇯🇵🎉')
  await save.click()
  await expect(page.getByRole('status').getByText('Settings saved.')).toBeVisible()
  const { post } = await writePost(page, 'With new emoji')
  await page.goto(`/posts/${post.id}`)
  await page.getByRole('button', { name: 'Add a reaction' }).click()
  await expect(getOpenMenu(page).getByRole('button')).toHaveText(['🍵', '👍🏽', '👩‍🚀', '🇯🇵', '🎉'])
  // Saves the former emoji again, because the other tests of this worker share the server.
  const { reaction_emoji } = before
  await fetchJson(page, 'PATCH', '/api/admin/settings', { reaction_emoji })
})
