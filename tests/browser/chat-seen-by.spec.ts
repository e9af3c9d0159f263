import { annAndBen, messageLog, openChat, sendMessage } from './chat-helpers.ts'
import { expect, expectAccessible, fetchJson, type PageMember, test } from './fixture.ts'

const openSeenBy = async ({ page }: PageMember, text: string) => {
  await messageLog(page).locator('.bubble', { hasText: text }).hover()
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
  const { group } = await fetchJson(aya.page, 'POST', '/api/groups', {
    name: 'Readers',
  })
  for (const { id } of [ben, cid])
    await fetchJson(aya.page, 'POST', `/api/groups/${group.id}/add-user`, {
      user_id: id,
    })
  for (const { page } of [aya, ben]) await page.goto(`/group-chat/${group.id}`)
  await expect(aya.page.getByRole('img', { name: '1 person is here' })).toBeVisible()
  await fetchJson(aya.page, 'POST', '/api/group-messages/send', {
    group_id: group.id,
    message: 'News',
  })
  await expect(messageLog(aya.page)).toContainText('Seen by 1')

  const dialog = await openSeenBy(aya, 'News')
  await expect(dialog.getByRole('region', { name: 'Seen 1', exact: true })).toContainText('Ben')
  await expect(dialog.getByRole('region', { name: 'Not seen yet 1' })).toContainText('Cid')
  await expectAccessible(aya.page)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toHaveCount(0)

  await fetchJson(cid.page, 'PUT', '/api/account/read-marks', { is_shared: false })
  await cid.page.goto(`/group-chat/${group.id}`)
  await expect(messageLog(cid.page)).toContainText('News')
  await fetchJson(cid.page, 'POST', '/api/group-messages/send', { group_id: group.id, message: 'Thanks' })
  await expect(messageLog(cid.page)).toContainText('Thanks')
  const refused = await openSeenBy(cid, 'Thanks')
  await expect(refused).toContainText('You do not show others what you have read')
  await refused.getByRole('link', { name: 'Change this' }).click()
  const box = cid.page.getByRole('checkbox', { name: 'Show others what I have read' })
  await expect(box).not.toBeChecked()
  await expect(await openSeenBy(aya, 'News')).toContainText('Nobody is missing.')
  await box.check()
  await box.uncheck()
  await expect(cid.page.getByText('Others no longer see what you have read.')).toBeVisible()
})

test('the switch works both ways at once in open windows', async ({ member }) => {
  const { ann, ben } = await annAndBen(member)
  await sendMessage(ben, ann, 'Hello')
  await sendMessage(ann, ben, 'Answer')
  await openChat(ann, ben)
  await openChat(ben, ann)
  await expect(messageLog(ann.page)).toContainText('Seen')
  await sendMessage(ben, ann, 'And you?')
  await expect(messageLog(ben.page)).toContainText('Seen')
  const setSharing = (is_shared: boolean) =>
    fetchJson(ben.page, 'PUT', '/api/account/read-marks', { is_shared })
  await setSharing(false)
  for (const { page } of [ann, ben]) await expect(messageLog(page)).not.toContainText('Seen')
  await sendMessage(ann, ben, 'Secretly read')
  await expect(messageLog(ben.page)).toContainText('Secretly read')
  await setSharing(true)
  for (const { page } of [ann, ben]) await expect(messageLog(page)).toContainText('Seen')
})
