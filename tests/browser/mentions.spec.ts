import type { Locator, Page } from '@playwright/test'
import { messageBox, messageLog, openChat } from './chat-helpers.ts'
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  fetchJson,
  type PageMember,
  test,
  writePost,
} from './fixture.ts'

const getList = (page: Page) => page.getByRole('listbox', { name: 'People to mention' })
const getOptions = (page: Page) => getList(page).getByRole('option')
const getPostField = (page: Page) => page.getByRole('textbox', { name: 'Text of the post' })

async function createGroupByApi(admin: PageMember, name: string, ...members: PageMember[]) {
  const { group } = await fetchJson(admin.page, 'POST', '/api/groups', { name })
  for (const { id } of members)
    await fetchJson(admin.page, 'POST', `/api/groups/${group.id}/add-user`, {
      user_id: id,
    })
  return group.id as number
}

/**
 * Registers members, and returns them. Their names begin with `family`, so that the list of suggestions
 * contains no members of other tests.
 */
const registerFamily = async <Name extends string>(
  member: (name: string) => Promise<PageMember>,
  family: string,
  ...names: Name[]
) => {
  const members = {} as Record<Name, PageMember>
  for (const name of names) members[name] = await member(family + name)
  return members
}

/**
 * Types into the focused field as an input method (such as one for Japanese) does before its text is
 * confirmed.
 */
async function compose(page: Page, text: string) {
  const client = await page.context().newCDPSession(page)
  await client.send('Input.imeSetComposition', {
    text,
    selectionStart: text.length,
    selectionEnd: text.length,
  })
  await client.detach()
}

async function expectInsideVisibleArea(page: Page, element: Locator) {
  const { x, y, width, height } = (await element.boundingBox())!
  const viewport = page.viewportSize()!
  expect([x, y].every((edge) => edge >= 0)).toBe(true)
  expect(x + width).toBeLessThanOrEqual(viewport.width)
  expect(y + height).toBeLessThanOrEqual(viewport.height)
}

test('a member chooses a person by keyboard, and the link leads to the profile', async ({ member }) => {
  const { ann, ben, cleo } = await registerFamily(member, 'Mio', 'ann', 'ben', 'cleo')
  const { page } = ann
  await page.goto('/post')
  await getPostField(page).pressSequentially('Hello @mio')
  await expect(getOptions(page)).toHaveText([/Mioben.*@mioben/, /Miocleo.*@miocleo/])
  await expect(getPostField(page)).toBeFocused()
  const [first, second] = [getOptions(page).first(), getOptions(page).last()]
  await expect(first).toHaveAttribute('aria-selected', 'true')
  const mark = (id: string | null) => expect(getPostField(page)).toHaveAttribute('aria-activedescendant', id!)
  await mark(await first.getAttribute('id'))
  await expect(page.getByRole('status').filter({ hasText: '2 suggestions' })).toBeAttached()
  await expectInsideVisibleArea(page, getList(page))
  await page.keyboard.press('ArrowDown')
  await mark(await second.getAttribute('id'))
  await page.keyboard.press('ArrowDown')
  await mark(await first.getAttribute('id'))
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(getPostField(page)).toHaveValue('Hello @miocleo ')
  await expect(getList(page)).toHaveCount(0)
  await expect(getPostField(page)).not.toHaveAttribute('aria-activedescendant')

  // Escape closes the list of suggestions for this mention only. At the next mention, Tab chooses a
  // suggestion.
  await getPostField(page).pressSequentially('and @miob')
  await expect(getOptions(page)).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(getList(page)).toHaveCount(0)
  await getPostField(page).pressSequentially('x @miob')
  await expect(getOptions(page)).toHaveCount(1)
  await page.keyboard.press('Tab')
  await expect(getPostField(page)).toHaveValue('Hello @miocleo and @miobx @mioben ')
  await getPostField(page).pressSequentially('@nobody, a@mioben')
  await expect(getList(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Post', exact: true }).click()

  const post = page.locator('article', { hasText: 'Hello @miocleo' })
  await expect(post.locator('.prose a')).toHaveText(['@miocleo', '@mioben'])
  await expect(post.locator('.prose a').first()).toHaveAttribute('href', `/people/${cleo.id}`)
  await post.locator('.prose a').last().click()
  await expect(page).toHaveURL(new RegExp(`/people/${ben.id}$`))
})

test('a tap chooses a person, and the texts of replies and edits complete names too', async ({
  member,
  browser,
  baseURL,
}) => {
  const { ann, ben } = await registerFamily(member, 'Rui', 'ann', 'ben')
  const { post } = await writePost(ben.page, 'A post for Rui')
  const storageState = await ann.page.context().storageState()
  const phone = await (
    await browser.newContext({
      baseURL: baseURL!,
      storageState,
      hasTouch: true,
      viewport: { width: 390, height: 500 },
    })
  ).newPage()
  await phone.goto(`/posts/${post.id}`)
  const field = phone.getByRole('textbox', { name: 'Write a reply' })
  await field.tap()
  await field.pressSequentially('Thanks ＠ruib')
  await expect(getOptions(phone)).toHaveCount(1)
  await expectInsideVisibleArea(phone, getList(phone))
  await expectNoOverflow(phone)
  await getOptions(phone).tap()
  await expect(field).toHaveValue('Thanks @ruiben ')
  await expect(field).toBeFocused()
  await field.pressSequentially('!')
  await phone.getByRole('button', { name: 'Reply', exact: true }).tap()
  await expect(phone.locator('.reply .prose a')).toHaveText('@ruiben')

  const page = ben.page
  await page.goto(`/posts/${post.id}`)
  await expect(page.locator('.reply .prose a')).toHaveAttribute('href', `/people/${ben.id}`)
  await page.getByRole('button', { name: 'More about this post by Ruiben' }).click()
  await page.locator('.menu:popover-open').getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').press('End')
  await dialog.getByRole('textbox').pressSequentially(' @ruia')
  await expect(getOptions(page)).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  await dialog.getByRole('textbox').pressSequentially('n')
  await expect(getList(page)).toHaveCount(0)
  await dialog.getByRole('textbox').pressSequentially(' @ruia')
  await expectAccessible(page)
  await getOptions(page).click()
  await expect(dialog.getByRole('textbox')).toHaveValue('A post for Rui @ruian @ruiann ')
  await page.keyboard.press('Control+Enter')
  await expect(page.locator('.post .prose a')).toHaveText('@ruiann')
})

test('a group offers its members only, and the message links them for everybody', async ({
  admin,
  member,
}) => {
  const { ann, ben, cleo } = await registerFamily(member, 'Sai', 'ann', 'ben', 'cleo')
  const group = await createGroupByApi(await admin('Keeper'), 'Saigroup', ann, ben)
  await ann.page.goto(`/group-chat/${group}`)
  await ben.page.goto(`/group-chat/${group}`)
  const box = messageBox(ann.page)
  await box.pressSequentially('@sai')
  await expect(getOptions(ann.page)).toHaveText([/Saiben/])
  // Enter chooses a person from the list of suggestions. It sends the message only when no list is open.
  await ann.page.keyboard.press('Enter')
  await expect(box).toHaveValue('@saiben ')
  await box.pressSequentially(`and @saicleo`)
  await expect(getList(ann.page)).toHaveCount(0)
  await ann.page.keyboard.press('Enter')
  for (const { page } of [ann, ben])
    await expect(messageLog(page).locator('.bubble a')).toHaveText(['@saiben', '@saicleo'])
  await messageLog(ben.page).getByRole('link', { name: '@saiben' }).click()
  await expect(ben.page).toHaveURL(new RegExp(`/people/${ben.id}$`))

  // Expects that a private chat suggests only the other person for a mention.
  for (const [who, whom] of [
    [ann, cleo],
    [cleo, ann],
  ] as const)
    await fetchJson(who.page, 'POST', `/api/follow/${whom.id}`)
  await openChat(ann, cleo)
  await messageBox(ann.page).pressSequentially('@')
  await expect(getOptions(ann.page)).toHaveText([/Saicleo/])
  await ann.page.setViewportSize({ width: 390, height: 400 })
  await expectInsideVisibleArea(ann.page, getList(ann.page))
})

test('the list works while an input method is composing, and a slow or lost connection leaves the text alone', async ({
  member,
}) => {
  const { ann, ben } = await registerFamily(member, 'Uta', 'ann', 'ben', 'cleo')
  await member('やまだはな')
  const { page } = ann
  await page.goto('/post')
  await getPostField(page).pressSequentially('今日は＠')
  await compose(page, 'やまだ')
  await expect(getOptions(page)).toHaveText([/やまだはな/])
  // Presses Enter while the input method composes: this confirms its text, and chooses no suggestion.
  await page.evaluate(() =>
    document.activeElement!.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }),
    ),
  )
  await expect(getPostField(page)).toHaveValue('今日は＠やまだ')
  await page.keyboard.insertText('やまだ')
  await expect(getPostField(page)).toHaveValue('今日は＠やまだ')
  await page.keyboard.press('Enter')
  const [{ handle }] = await (await page.request.get('/api/mention-candidates?q=やまだはな')).json()
  await expect(getPostField(page)).toHaveValue(`今日は@${handle} `)

  // Taps on a suggestion before the input method has confirmed the text, which must work too. On phones this
  // is usual, because input methods compose every word there.
  await compose(page, '＠やま')
  await expect(getOptions(page)).toHaveCount(1)
  await getOptions(page).click()
  await expect(getPostField(page)).toHaveValue(`今日は@${handle} @${handle} `)
  await expect(getPostField(page)).toBeFocused()

  await getPostField(page).fill('')
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/mention-candidates?q=uta', async (route) => {
    await isReleased
    // Ignores the error of this call, because the page has cancelled the request by then.
    await route.continue().catch(() => {})
  })
  const asked = page.waitForRequest(/mention-candidates\?q=uta$/)
  await getPostField(page).pressSequentially('@uta')
  await asked
  await expect(getList(page)).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(getPostField(page)).toHaveValue('@uta\n')
  await page.keyboard.press('Backspace')
  await getPostField(page).pressSequentially('c')
  await expect(getOptions(page)).toHaveText([/Utacleo/])
  release()
  await expect(getOptions(page)).toHaveText([/Utacleo/])
  await page.keyboard.press('Escape')
  await page.unrouteAll({ behavior: 'ignoreErrors' })

  // Expects that the page sends one request for the members whom all its texts mention, and that visitors get
  // no links.
  for (let i = 0; i < 3; i++) await writePost(ben.page, `Call ${i} for @utaann and @utacleo, not @nouta`)
  const requests: string[] = []
  page.on('request', (request) => /handles\?.*utaann/.test(request.url()) && requests.push(request.url()))
  await page.goto('/')
  await expect(page.locator('.post', { hasText: 'Call 0' }).locator('.prose a')).toHaveCount(2)
  expect(requests).toHaveLength(1)
  await page.context().clearCookies()
  await page.goto('/')
  await expect(page.locator('.post', { hasText: 'Call 0' })).toContainText('@utaann')
  await expect(page.locator('.post', { hasText: 'Call 0' }).locator('.prose a')).toHaveCount(0)
  expect(requests).toHaveLength(1)
})
