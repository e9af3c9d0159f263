import { followMemberByApi, getMessageLog, openPrivateChat, sendPrivateMessageByApi } from './chat-helpers.ts'
import {
  createPostByApi,
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  sendApiRequest,
  test,
} from './fixture.ts'

test('a handle stands beside a name that two members share: posts, chats, groups', async ({
  member,
  admin,
}) => {
  const name = 'Quilla'
  const [ann, one, two] = [await admin('Ann'), await member(name), await member(name)]
  const handles = ['@quilla', '@quilla2']
  const { group } = await sendApiRequest(ann.page, 'POST', '/api/groups', { name: 'Two of them' })
  for (const [who, handle] of [
    [one, handles[0]!],
    [two, handles[1]!],
  ] as const) {
    await followMemberByApi(ann, who)
    await followMemberByApi(who, ann)
    await createPostByApi(who.page, `The post of ${handle}`)
    await sendPrivateMessageByApi(who, ann, 'Hello')
    await sendApiRequest(ann.page, 'POST', `/api/groups/${group.id}/add-user`, { user_id: who.id })
    await sendApiRequest(who.page, 'POST', '/api/group-messages/send', {
      group_id: group.id,
      message: `I am ${handle}`,
    })
  }
  const { page } = ann
  for (const width of [320, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/')
    for (const handle of handles)
      await expect(
        page
          .locator('article', { has: page.getByText(`The post of ${handle}`, { exact: true }) })
          .locator('.handle'),
      ).toHaveText(handle)
    await expectAccessible(page)
    await expectNoHorizontalScroll(page)
    await page.goto('/users')
    await expect(page.locator('.row .handle')).toHaveText([...handles].reverse())
    await expectNoHorizontalScroll(page)
    await openPrivateChat(ann, two)
    await expect(page.locator('.conversation h1 .handle')).toHaveText(handles[1]!)
    await expectNoHorizontalScroll(page)
    await page.goto(`/group-chat/${group.id}`)
    await expect(getMessageLog(page).locator('.message-group .handle')).toHaveText(handles)
    await expectAccessible(page)
    await expectNoHorizontalScroll(page)
  }
  await sendApiRequest(two.page, 'POST', '/api/group-messages/send', {
    group_id: group.id,
    message: 'And live',
  })
  await expect(getMessageLog(page).getByText('And live')).toBeVisible()
  await expect(getMessageLog(page).locator('.message-group .handle').last()).toHaveText(handles[1]!)
})
