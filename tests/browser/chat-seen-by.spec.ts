import {
  getMessageLog,
  openPrivateChat,
  registerMembersFollowingEachOther,
  sendPrivateMessageByApi,
} from './chat-helpers.ts'
import { expect, expectAccessible, type MemberWithPage, sendApiRequest, test } from './fixture.ts'

const openSeenBy = async ({ page }: MemberWithPage, text: string) => {
  await getMessageLog(page).locator('.bubble', { hasText: text }).hover()
  await page.getByRole('button', { name: `More about “${text}”` }).click()
  await page.locator('.menu:popover-open').getByRole('button', { name: 'Seen by…' }).click()
  return page.getByRole('dialog', { name: 'Who has seen this message' })
}

test('the readers of a message of a group are listed, until one of them hides it', async ({
  admin,
  member,
}) => {
  const aya = await admin('Aya')
  const ben = await member('Ben')
  const cid = await member('Cid')
  const { group } = await sendApiRequest(aya.page, 'POST', '/api/groups', { name: 'Readers' })
  for (const { id } of [ben, cid])
    await sendApiRequest(aya.page, 'POST', `/api/groups/${group.id}/add-user`, { user_id: id })
  for (const { page } of [aya, ben]) await page.goto(`/group-chat/${group.id}`)
  await expect(aya.page.getByRole('img', { name: '1 person is here' })).toBeVisible()
  await sendApiRequest(aya.page, 'POST', '/api/group-messages/send', { group_id: group.id, message: 'News' })
  await expect(getMessageLog(aya.page)).toContainText('Seen by 1')

  const dialog = await openSeenBy(aya, 'News')
  await expect(dialog.getByRole('region', { name: 'Seen 1', exact: true })).toContainText('Ben')
  await expect(dialog.getByRole('region', { name: 'Not seen yet 1' })).toContainText('Cid')
  await expectAccessible(aya.page)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toHaveCount(0)

  await cid.page.goto('/account')
  await cid.page.getByRole('checkbox', { name: 'Show others what I have read' }).uncheck()
  await expect(cid.page.getByText('Others no longer see what you have read.')).toBeVisible()
  await cid.page.goto(`/group-chat/${group.id}`)
  await expect(getMessageLog(cid.page)).toContainText('News')
  const refused = await openSeenBy(cid, 'News')
  await expect(refused).toContainText('You do not show others what you have read')
  await refused.getByRole('link', { name: 'Change this' }).click()
  await expect(cid.page.getByRole('checkbox', { name: 'Show others what I have read' })).not.toBeChecked()
  await expect(await openSeenBy(aya, 'News')).toContainText('Nobody is missing.')
})

test('the switch works both ways at once in open windows', async ({ member }) => {
  const { ann, ben } = await registerMembersFollowingEachOther(member)
  await sendPrivateMessageByApi(ben, ann, 'Hello')
  await sendPrivateMessageByApi(ann, ben, 'Answer')
  await openPrivateChat(ann, ben)
  await openPrivateChat(ben, ann)
  await expect(getMessageLog(ann.page)).toContainText('Seen')
  await sendPrivateMessageByApi(ben, ann, 'And you?')
  await expect(getMessageLog(ben.page)).toContainText('Seen')
  const setSharing = (is_shared: boolean) =>
    sendApiRequest(ben.page, 'PUT', '/api/account/read-marks', { is_shared })
  await setSharing(false)
  for (const { page } of [ann, ben]) await expect(getMessageLog(page)).not.toContainText('Seen')
  await sendPrivateMessageByApi(ann, ben, 'Secretly read')
  await expect(getMessageLog(ben.page)).toContainText('Secretly read')
  await setSharing(true)
  for (const { page } of [ann, ben]) await expect(getMessageLog(page)).toContainText('Seen')
})
