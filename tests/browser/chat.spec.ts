import { badge, box, follow, log, open, pair, tell } from './chat-page.ts'
import { call, expect, expectAccessible, expectNoSidewaysScroll, test } from './fixture.ts'

test('two people talk, each sees the other type, and what was seen', async ({ member }) => {
  const { ann, ben } = await pair(member)
  await open(ann, ben)
  await open(ben, ann)
  await expect(ann.page.getByText('Here now').first()).toBeVisible()
  await box(ann.page).pressSequentially('Hello Ben')
  await expect(ben.page.getByText('Ann is typing')).toBeVisible()
  await ann.page.keyboard.press('Enter')
  await expect(log(ben.page)).toContainText('Hello Ben')
  await expect(ben.page.getByText('Ann is typing')).toBeHidden()
  await expect(log(ann.page)).toContainText('Seen')
  await box(ben.page).fill('Hello Ann')
  await ben.page.getByRole('button', { name: 'Send' }).click()
  await expect(log(ann.page).locator('.bubble')).toHaveText(['Hello Ben', 'Hello Ann'])
  await expect(badge(ann.page)).toHaveCount(0)
})

test('Enter sends, Shift + Enter breaks the line, and a conversion of Japanese sends nothing', async ({
  member,
}) => {
  const { ann, ben } = await pair(member)
  await open(ann, ben)
  const field = box(ann.page)
  await field.pressSequentially('one')
  await ann.page.keyboard.press('Shift+Enter')
  await field.pressSequentially('two')
  for (const composing of [{ isComposing: true }, { keyCode: 229 }])
    await field.evaluate(
      (area, more) =>
        area.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...more }),
        ),
      composing,
    )
  await expect(log(ann.page).locator('.bubble')).toHaveCount(0)
  await ann.page.keyboard.press('Enter')
  await expect(log(ann.page).locator('.bubble')).toHaveText(['one\ntwo'])
  await expect(field).toHaveValue('')
  await expect(field).toBeFocused()
})

test('unread is counted everywhere, cleared only where it was seen, and its line stays', async ({
  member,
  browser,
  server,
}) => {
  const { ann, ben } = await pair(member)
  await ben.page.goto('/')
  await expect(ben.page.getByRole('heading', { level: 1 })).toBeVisible()
  for (const text of ['one', 'two', 'three']) await tell(ann, ben, text)
  await expect(badge(ben.page)).toContainText('3')
  await expect(ben.page).toHaveTitle(/^\(3\) /)
  // A second device of the same person.
  const context = await browser.newContext({
    baseURL: server.url,
    storageState: await ben.page.context().storageState(),
  })
  const other = await context.newPage()
  await other.goto('/users')
  const row = other.getByRole('link', { name: /Ann/ })
  await expect(row).toContainText('three')
  await expect(row).toContainText('3')

  await open(ben, ann)
  await expect(log(ben.page).getByText('Unread', { exact: true })).toBeVisible()
  await expect(badge(ben.page)).toHaveCount(0)
  await expect(row.locator('.badge')).toHaveCount(0)
  await expect(badge(other)).toHaveCount(0)
  await expect(ben.page).toHaveTitle(/^Ann – /)
  await ben.page.reload()
  await expect(log(ben.page)).toContainText('three')
  await expect(log(ben.page).getByText('Unread', { exact: true })).toHaveCount(0)
  await context.close()
})

test('what comes while one reads further up waits behind a pill, and counts as unread', async ({
  member,
}) => {
  const { ann, ben } = await pair(member)
  for (let i = 1; i <= 70; i++) await tell(ann, ben, `Line ${i}`)
  await open(ben, ann)
  // It opens at the first unread message, and only what was in sight is read.
  await expect(log(ben.page).getByText('Line 1', { exact: true })).toBeInViewport()
  await expect(badge(ben.page)).not.toContainText('70')
  await ben.page.getByRole('button', { name: 'To the newest' }).click()
  await expect(log(ben.page).getByText('Line 70')).toBeInViewport()
  await expect(badge(ben.page)).toHaveCount(0)
  await log(ben.page)
    .getByText('Line 30', { exact: true })
    .evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const before = await log(ben.page).getByText('Line 30', { exact: true }).boundingBox()
  await tell(ann, ben, 'And one more')
  await expect(ben.page.getByRole('button', { name: '1 new message' })).toBeVisible()
  const after = await log(ben.page).getByText('Line 30', { exact: true }).boundingBox()
  expect(Math.abs(after!.y - before!.y)).toBeLessThan(2)
  await expect(badge(ben.page)).toContainText('1')
  await ben.page.getByRole('button', { name: '1 new message' }).click()
  await expect(log(ben.page).getByText('And one more')).toBeInViewport()
  await expect(badge(ben.page)).toHaveCount(0)
  await expect(log(ben.page).locator('.bubble')).toHaveCount(71)
})

test('offline: what is written waits and leaves with the line, in its order; what came meanwhile is there after, once', async ({
  member,
}) => {
  const { ann, ben } = await pair(member)
  await open(ann, ben)
  await open(ben, ann)
  await tell(ann, ben, 'before')
  await expect(log(ben.page)).toContainText('before')
  await ben.page.context().setOffline(true)
  for (const text of ['from the tunnel', 'still in it']) {
    await box(ben.page).fill(text)
    await ben.page.keyboard.press('Enter')
  }
  await expect(ben.page.getByText('Not sent')).toHaveCount(1)
  for (const text of ['one', 'two', 'three']) await tell(ann, ben, text)
  await expect(ben.page.getByText('Offline. What you write is kept.')).toBeVisible({ timeout: 20_000 })
  await ben.page.context().setOffline(false)
  await expect(log(ben.page)).toContainText('three', { timeout: 30_000 })
  for (const { page } of [ann, ben])
    await expect(log(page).locator('.bubble')).toHaveText([
      'before',
      'one',
      'two',
      'three',
      'from the tunnel',
      'still in it',
    ])
  await expect(ben.page.getByText('Not sent')).toHaveCount(0)
})

test('a chat that is opened again begins at what came since, and a change far above leaves no gap', async ({
  member,
}) => {
  const { ann, ben } = await pair(member)
  const chi = await member('Chi')
  await follow(ben, chi)
  const first = await tell(ann, ben, 'Line 0')
  for (let i = 1; i <= 70; i++) await tell(ann, ben, `Line ${i}`)
  await open(ben, ann)
  await ben.page.getByRole('button', { name: 'To the newest' }).click()
  await expect(badge(ben.page)).toHaveCount(0)
  await ben.page.getByRole('link', { name: /Chi/ }).click()
  await expect(ben.page.getByRole('heading', { level: 1 })).toHaveText(/Chi/)
  for (let i = 71; i <= 100; i++) await tell(ann, ben, `Line ${i}`)
  await expect(badge(ben.page)).toContainText('30')
  await ben.page.getByRole('link', { name: /Ann/ }).click()
  await expect(log(ben.page).getByText('Unread', { exact: true })).toBeInViewport()
  await expect(log(ben.page).getByText('Line 71', { exact: true })).toBeInViewport()
  await expect(badge(ben.page)).not.toHaveCount(0)
  await call(ann.page, 'PUT', `/api/chat-messages/${first.message.id}`, { message: 'Line nought' })
  await tell(ann, ben, 'The end')
  await expect(ben.page.getByRole('button', { name: /new message/ })).toBeVisible()
  await expect(log(ben.page).getByText('Line nought')).toHaveCount(0)
})

test('three hundred unread messages: it begins at the first of them', async ({ member }) => {
  const { ann, ben } = await pair(member)
  for (let i = 1; i <= 300; i++) await tell(ann, ben, `Line ${i}`)
  await ben.page.goto('/users')
  await ben.page.getByRole('link', { name: /Ann/ }).click()
  await expect(log(ben.page).getByText('Unread', { exact: true })).toBeInViewport()
  await expect(log(ben.page).getByText('Line 1', { exact: true })).toBeInViewport()
  await expect(ben.page.getByText('Older messages did not load.')).toHaveCount(0)
})

test('who logs in anew in another tab goes on hearing in the first', async ({ member }) => {
  const { ann, ben } = await pair(member)
  await open(ann, ben)
  const tab = await ann.page.context().newPage()
  await tab.goto('/login')
  await tab.getByLabel('Email address').fill(ann.email)
  await tab.getByLabel('Password').fill('correct horse')
  await tab.getByRole('button', { name: 'Log in' }).click()
  await expect(tab).toHaveURL('/')
  await tell(ben, ann, 'Still there?')
  await expect(log(ann.page)).toContainText('Still there?')
})

test('two authors whose clients number their messages alike do not disturb the order', async ({ member }) => {
  const { ann, ben } = await pair(member)
  for (let i = 1; i <= 40; i++)
    for (const [from, to] of [
      [ann, ben],
      [ben, ann],
    ] as const)
      await call(from.page, 'POST', '/api/send-private-message', {
        input: `${from.name} ${i}`,
        targetUserId: to.id,
        client_id: `${i}`,
      })
  await open(ben, ann)
  await log(ben.page).evaluate((element) => element.scrollTo({ top: 0 }))
  await expect(log(ben.page).locator('.bubble')).toHaveText(
    Array.from({ length: 40 }, (_, at) => [`Ann ${at + 1}`, `Ben ${at + 1}`]).flat(),
  )
})

test('log-out in another tab ends this one', async ({ member }) => {
  const { ann, ben } = await pair(member)
  await open(ann, ben)
  const tab = await ann.page.context().newPage()
  await tab.goto('/logout')
  await expect(tab.getByText('Log out successful.')).toBeVisible()
  await expect(ann.page.getByRole('alert').filter({ hasText: 'Please log in.' })).toBeVisible()
  await tell(ben, ann, 'a secret').catch(() => {})
  await expect(ann.page.getByText('a secret')).toHaveCount(0)
})

test('a visitor is asked to log in, and an unknown user is told of', async ({ page }) => {
  for (const path of ['/chats', '/chats/unread', '/users', '/my-groups', '/privatechat/1', '/group-chat/1']) {
    await page.goto(path)
    await expect(page.getByRole('alert').filter({ hasText: 'Please log in.' })).toBeVisible()
  }
})

test('who is logged in cannot be said: the page says so and tries again', async ({ page }) => {
  await page.route('**/api/user', (route) =>
    route.fulfill({ status: 500, json: { message: 'Server Error' } }),
  )
  await page.goto('/users')
  await expect(page.getByText('Failed to retrieve the logged-in user.')).toBeVisible()
})

for (const { lang, colorScheme, width } of [
  { lang: 'en', colorScheme: 'light', width: 1440 },
  { lang: 'ja', colorScheme: 'dark', width: 390 },
] as const)
  test(`the pages of chat break no rule of accessibility: ${lang}, ${colorScheme}, ${width} px`, async ({
    member,
  }) => {
    const ann = await member('Wolfeschlegelsteinhausenbergerdorffson', { lang })
    const ben = await member('田中 一郎左衛門', { lang })
    await follow(ann, ben)
    await follow(ben, ann)
    await tell(ben, ann, `Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz${'x'.repeat(300)}`)
    await tell(ann, ben, '縁側でお茶を飲んでいたら、猫が来ました。')
    await ann.page.emulateMedia({ colorScheme })
    await ann.page.setViewportSize({ width, height: 800 })
    for (const path of [
      '/chats',
      '/chats/unread',
      '/users',
      `/privatechat/${ben.id}`,
      '/privatechat/999999',
      '/my-groups',
      '/group-chat/999999',
    ]) {
      await ann.page.goto(path)
      await expect(ann.page.getByRole('heading', { level: 1 })).toBeVisible()
      await expectAccessible(ann.page)
      await expectNoSidewaysScroll(ann.page)
    }
    await ann.page.setViewportSize({ width: 320, height: 640 })
    await ann.page.goto(`/privatechat/${ben.id}`)
    await expect(log(ann.page)).toBeVisible()
    await expectNoSidewaysScroll(ann.page)
  })
