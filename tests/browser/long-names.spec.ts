import type { Locator, Page } from '@playwright/test'
import { messageLog } from './chat-helpers.ts'
import { expect, expectNoOverflow, fetchJson, test } from './fixture.ts'

/**
 * Returns the tag and class of each innermost element that sticks out of the window at its left or right
 * side, except elements that a parent clips.
 */
const outOfWindow = (where: Locator) =>
  where.evaluate((root) => {
    const isCut = (element: Element | null): boolean =>
      element !== null && (getComputedStyle(element).overflowX !== 'visible' || isCut(element.parentElement))
    const boxOf = (element: Element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return range.getBoundingClientRect()
    }
    return [...root.querySelectorAll('*')]
      .filter(
        (element) =>
          element.checkVisibility() &&
          !element.childElementCount &&
          !element.closest('.visually-hidden, svg'),
      )
      .filter((element) => boxOf(element).left < -1 || boxOf(element).right > innerWidth + 1)
      .filter((element) => !isCut(element))
      .map((element) => `${element.tagName} ${element.className}`)
  })

const names = [
  'W'.repeat(99),
  'The committee for the spring fair, the lantern walk, the autumn market and all that comes between.',
  '春の祭りと提灯行列と秋の市とその間のすべての行事を準備する委員会の連絡用グループ'.repeat(3).slice(0, 99),
]

test('groups whose names have 99 characters fit a phone: one word, many words, Japanese', async ({
  admin,
  member,
}) => {
  const [aya, ben] = [await admin('Aya'), await member('Ben')]
  const { page } = aya
  const groups: number[] = []
  for (const name of names) {
    const { group } = await fetchJson(page, 'POST', '/api/groups', { name })
    const { id } = group
    await fetchJson(page, 'POST', `/api/groups/${id}/add-user`, { user_id: ben.id })
    await fetchJson(ben.page, 'POST', '/api/group-messages/send', {
      group_id: id,
      message: 'Hello',
    })
    groups.push(id)
  }
  await page.setViewportSize({ width: 390, height: 844 })
  const expectFit = async (where: Locator) => {
    await expect(where).toBeVisible()
    expect(await outOfWindow(where)).toEqual([])
    await expectNoOverflow(page)
  }
  for (const path of ['/chats', '/my-groups', '/admin/dashboard']) {
    await page.goto(path)
    for (const name of names) await expect(page.getByText(name).first()).toBeVisible()
    await expectFit(page.locator('main'))
  }
  // Ben stays in the first group, which then gets the other names, too.
  const [group] = groups
  await page.goto(`/group-chat/${group}`)
  await ben.page.goto(`/group-chat/${group}`)
  await expect(messageLog(page)).toContainText('Hello')
  const header = page.locator('.conversation .page-header')
  await expect(header.getByRole('img')).toBeVisible()
  for (const name of names) {
    await fetchJson(page, 'PUT', `/api/groups/${group}`, { name })
    await expect(header.getByText(name)).toBeVisible()
    await expectFit(page.locator('main'))
    // Expects that a long name does not stick out at the side: it is broken over at most two lines and ends
    // with an ellipsis.
    const isCutAtTheSide = header.getByText(name).evaluate((one) => one.scrollWidth > one.clientWidth + 1)
    expect(await isCutAtTheSide).toBe(false)
    expect((await header.boundingBox())!.height).toBeLessThan(844 / 6)
    await expect(header.getByText('2 members')).toBeInViewport({ ratio: 1 })
    for (const item of ['Members', 'Add people', 'Rename', 'Leave group', 'Delete group'])
      await expectDialogFits(page, item, expectFit)
  }
})

async function expectDialogFits(page: Page, item: string, expectFit: (where: Locator) => Promise<void>) {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('button', { name: item, exact: true }).click()
  const dialog = page.locator('dialog:modal')
  await expectFit(dialog)
  // Expects that the buttons of the dialog are visible without scrolling.
  await expect(dialog.getByRole('button').last()).toBeInViewport()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
}

test('a long name leaves room for what was written: in the list of chats, quotes and notifications', async ({
  admin,
  member,
  server,
}) => {
  const [aya, ben] = [await admin('Aya'), await member('Ben')]
  const { page } = aya
  await fetchJson(ben.page, 'POST', '/api/profile', { name: names[1], bio: null })
  const { group } = await fetchJson(page, 'POST', '/api/groups', { name: 'Potters' })
  await fetchJson(page, 'POST', `/api/groups/${group.id}/add-user`, { user_id: ben.id })
  const send = (message: string, more = {}) =>
    fetchJson(ben.page, 'POST', '/api/group-messages/send', { group_id: group.id, message, ...more })
  const first = await send('The clay has come, and the kiln is warm')
  await send(`Thanks @Aya`, { quotes_id: first.message.id })
  await page.setViewportSize({ width: 320, height: 640 })
  const { url } = server
  await page.context().addCookies([{ name: 'text', value: '150', url }])

  await page.goto('/chats')
  const preview = page.locator('.line.authored .preview')
  await expect(preview).toContainText('Thanks')
  expect((await preview.boundingBox())!.width).toBeGreaterThan(70)
  await page.goto(`/group-chat/${group.id}`)
  const quote = messageLog(page).locator('.quote')
  await expect(quote).toContainText('The clay')
  expect((await quote.locator('.name').boundingBox())!.height).toBeLessThan(50)
  await page.goto('/notifications')
  const shownNames = page.locator('.notifications .names.narrow-only').first()
  await expect(shownNames).toBeVisible()
  expect((await shownNames.boundingBox())!.height).toBeLessThan(70)
  await expectNoOverflow(page)
})

test('names and readings are whole in lists, and a profile keeps its menu beside its button, at 320 px with large text', async ({
  admin,
  member,
  server,
}) => {
  const aya = await admin('綾瀬川 文', { lang: 'ja' })
  const ben = await member('勅使河原 倫太郎')
  const { page } = aya
  const [name, reading] = ['勅使河原 倫太郎', 'てしがわら りんたろう']
  await fetchJson(ben.page, 'POST', '/api/profile', { name, reading })
  const { group } = await fetchJson(page, 'POST', '/api/groups', { name: 'Neighbourhood Choir' })
  await fetchJson(page, 'POST', `/api/groups/${group.id}/add-user`, { user_id: ben.id })
  await page.setViewportSize({ width: 320, height: 640 })
  await page.context().addCookies([{ name: 'text', value: '150', url: server.url }])

  await page.goto('/follow')
  const row = page.locator(`[data-person="${ben.id}"]`)
  await row.scrollIntoViewIfNeeded()
  const listed = row.getByRole('link', { name })
  await expect(listed).toBeVisible()
  expect(await listed.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0)

  await page.goto('/my-groups')
  const named = page.locator('.row .name').filter({ hasText: 'Neighbourhood Choir' })
  await expect(named).toBeVisible()
  expect(await named.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0)

  await page.goto(`/people/${ben.id}`)
  const buttons = page.locator('.profile .with-menu > button')
  await expect(buttons.first()).toBeVisible()
  for (const state of ['フォロー', 'フォロー中']) {
    await expect(buttons.first()).toContainText(state)
    const boxes = await buttons.evaluateAll((all) => all.map((one) => one.getBoundingClientRect()))
    expect(boxes.at(-1)!.top).toBeLessThan(boxes[0]!.bottom)
    await expectNoOverflow(page)
    if (state === 'フォロー') await buttons.first().click()
  }

  for (const count of await page.locator('.counts button').all())
    expect((await count.boundingBox())!.height).toBeGreaterThanOrEqual(44)
  await page.goto('/scheduled')
  const help = page.locator('.page-header .sub')
  await expect(help).toBeVisible()
  expect(await help.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0)
  await expectNoOverflow(page)

  await page.goto(`/group-chat/${group.id}`)
  for (const item of ['メンバー', 'まとめ役を交代…', '送れる人を決める']) {
    await page.getByRole('button', { name: 'その他', exact: true }).click()
    await page.locator('.menu:popover-open').getByRole('button', { name: item, exact: true }).click()
    const dialog = page.locator('dialog:modal')
    if (item === '送れる人を決める') await dialog.getByRole('radio').last().check()
    await expect(dialog.getByText(reading)).toBeVisible()
    await expectNoOverflow(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }
  const box = page.getByRole('textbox', { name: 'メッセージ' })
  await box.pressSequentially('@勅使')
  await expect(page.getByRole('option').getByText(reading)).toBeVisible()
  await expectNoOverflow(page)
  await box.fill('')

  await page.goto('/admin/users')
  await page.getByRole('searchbox').fill(name)
  await expect(page.locator(`[data-account="${ben.id}"]`).getByText(reading)).toBeVisible()
  await expectNoOverflow(page)
})
