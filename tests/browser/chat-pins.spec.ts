import { messageLog } from './chat-helpers.ts'
import { expect, fetchJson, type PageMember, test } from './fixture.ts'

const sendToGroup = async ({ page }: PageMember, group_id: number, message: string) =>
  (await fetchJson(page, 'POST', '/api/group-messages/send', { group_id, message })).message.id as number

async function openMessageMenu({ page }: PageMember, text: string) {
  await messageLog(page).locator('.bubble', { hasText: text }).hover()
  await page.getByRole('button', { name: `More about “${text}”` }).click()
  return page.locator('.menu:popover-open')
}
const getBar = ({ page }: PageMember) => page.getByRole('region', { name: 'Pinned messages' })

test('an admin pins messages of a group, live for everybody', async ({ admin, member }) => {
  const aya = await admin('Aya')
  const ben = await member('Ben')
  const { group } = await fetchJson(aya.page, 'POST', '/api/groups', { name: 'Pins' })
  await fetchJson(aya.page, 'POST', `/api/groups/${group.id}/add-user`, {
    user_id: ben.id,
  })
  await sendToGroup(ben, group.id, 'The key is under the pot')
  for (let line = 10; line < 40; line++) await sendToGroup(aya, group.id, `Line ${line}`)
  for (const { page } of [aya, ben]) await page.goto(`/group-chat/${group.id}`)
  await expect(messageLog(ben.page)).toContainText('Line 39')
  await expect(getBar(ben)).toHaveCount(0)
  const menuOfBen = await openMessageMenu(ben, 'Line 39')
  await expect(menuOfBen.getByRole('button', { name: 'Copy text' })).toBeVisible()
  await expect(menuOfBen.getByRole('button', { name: 'Pin', exact: true })).toHaveCount(0)
  await ben.page.keyboard.press('Escape')

  await (await openMessageMenu(aya, 'Line 39')).getByRole('button', { name: 'Pin', exact: true }).click()
  for (const who of [aya, ben]) await expect(getBar(who)).toContainText('Line 39')
  const messages: { id: number; message: string }[] = await (
    await aya.page.request.get(`/api/group-messages/${group.id}`)
  ).json()
  const key = messages.find(({ message }) => message.startsWith('The key'))!
  await fetchJson(aya.page, 'PUT', `/api/chat-messages/${key.id}/pin`)
  await expect(getBar(ben)).toContainText('The key is under the pot')
  await getBar(ben)
    .getByRole('button', { name: /^Pinned message of Ben/ })
    .click()
  await expect(ben.page.locator('[data-highlighted]')).toContainText('The key is under the pot')
  await expect(messageLog(ben.page).getByText('The key is under the pot')).toBeInViewport()

  await getBar(ben).getByRole('button', { name: 'Show all 2 pinned messages' }).click()
  const dialogOfBen = ben.page.getByRole('dialog', { name: 'Pinned messages' })
  await expect(dialogOfBen.getByRole('listitem')).toHaveCount(2)
  await expect(dialogOfBen.getByRole('button', { name: /Unpin/ })).toHaveCount(0)
  await dialogOfBen.getByRole('button', { name: 'Show “Line 39” in the chat' }).click()
  await expect(dialogOfBen).toHaveCount(0)
  await expect(ben.page.locator('[data-highlighted]')).toContainText('Line 39')

  // Expects that the bar of pinned messages shows the new text of an edited message, and that a deleted
  // message is no longer pinned.
  await fetchJson(ben.page, 'PUT', `/api/chat-messages/${key.id}`, {
    message: 'The key is with Cid',
  })
  for (const who of [aya, ben]) await expect(getBar(who)).toContainText('The key is with Cid')
  await fetchJson(ben.page, 'DELETE', `/api/chat-messages/${key.id}`)
  for (const who of [aya, ben]) await expect(getBar(who)).toContainText('Line 39')

  await getBar(aya).getByRole('button', { name: 'Show the pinned message' }).click()
  await aya.page.getByRole('button', { name: 'Unpin “Line 39”' }).click()
  await expect(aya.page.getByRole('dialog')).toHaveCount(0)
  for (const who of [aya, ben]) await expect(getBar(who)).toHaveCount(0)
  await expect(messageLog(aya.page)).toBeFocused()
})
