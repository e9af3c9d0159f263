import { follow, messageLog, openChat, sendMessage } from './chat-helpers.ts'
import { expect, expectAccessible, expectNoOverflow, fetchJson, test, writePost } from './fixture.ts'

test('a handle stands beside a name that two members share: posts, chats, groups', async ({
  member,
  admin,
}) => {
  const name = 'Quilla'
  const [ann, one, two] = [await admin('Ann'), await member(name), await member(name)]
  const handles = ['@quilla', '@quilla2']
  const { group } = await fetchJson(ann.page, 'POST', '/api/groups', {
    name: 'Two of them',
  })
  for (const [who, handle] of [
    [one, handles[0]!],
    [two, handles[1]!],
  ] as const) {
    await follow(ann, who)
    await follow(who, ann)
    await writePost(who.page, `The post of ${handle}`)
    await sendMessage(who, ann, 'Hello')
    await fetchJson(ann.page, 'POST', `/api/groups/${group.id}/add-user`, {
      user_id: who.id,
    })
    await fetchJson(who.page, 'POST', '/api/group-messages/send', {
      group_id: group.id,
      message: `I am ${handle}`,
    })
  }
  const { page } = ann
  /** Runs a check of the open page in both widths of the window. */
  const inBothWidths = async (check: () => Promise<unknown>) => {
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      await check()
      await expectNoOverflow(page)
    }
  }
  await page.goto('/')
  await inBothWidths(async () => {
    for (const handle of handles)
      await expect(
        page
          .locator('article', { has: page.getByText(`The post of ${handle}`, { exact: true }) })
          .locator('.handle'),
      ).toHaveText(handle)
    await expectAccessible(page)
  })
  await page.goto('/users')
  await inBothWidths(() => expect(page.locator('.row .handle')).toHaveText([...handles].reverse()))
  await openChat(ann, two)
  await inBothWidths(() => expect(page.locator('.conversation h1 .handle')).toHaveText(handles[1]!))
  await page.goto(`/group-chat/${group.id}`)
  await inBothWidths(async () => {
    await expect(messageLog(page).locator('.message-group .handle')).toHaveText(handles)
    await expectAccessible(page)
  })
  await fetchJson(two.page, 'POST', '/api/group-messages/send', {
    group_id: group.id,
    message: 'And live',
  })
  await expect(messageLog(page).getByText('And live')).toBeVisible()
  await expect(messageLog(page).locator('.message-group .handle').last()).toHaveText(handles[1]!)
})
