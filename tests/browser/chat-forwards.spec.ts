import { follow, messageLog, openChat, sendMessage } from './chat-helpers.ts'
import { expect, fetchJson, type PageMember, test } from './fixture.ts'

async function openForwardDialog({ page }: PageMember, text: string) {
  await messageLog(page).locator('.bubble', { hasText: text }).hover()
  await page.getByRole('button', { name: `More about “${text}”` }).click()
  await page.locator('.menu:popover-open').getByRole('button', { name: 'Forward…' }).click()
  return page.getByRole('dialog', { name: 'Forward to…' })
}

test('a message is forwarded to a group and to a person, who see it at once', async ({ admin, member }) => {
  const aya = await admin('Aya')
  const ben = await member('Ben')
  const cid = await member('Cid')
  for (const [one, two] of [
    [aya, ben],
    [ben, aya],
    [aya, cid],
    [cid, aya],
  ] as const)
    await follow(one, two)
  const { group } = await fetchJson(aya.page, 'POST', '/api/groups', {
    name: 'Forwarding',
  })
  await fetchJson(aya.page, 'POST', `/api/groups/${group.id}/add-user`, {
    user_id: ben.id,
  })
  await sendMessage(ben, aya, 'Tea at four')
  // Makes Ben block Cid, so that Cid does not see Ben.
  await fetchJson(ben.page, 'POST', `/api/users/${cid.id}/block`)
  await openChat(aya, ben)
  await openChat(cid, aya)
  await ben.page.goto(`/group-chat/${group.id}`)

  const dialog = await openForwardDialog(aya, 'Tea at four')
  await expect(dialog.getByRole('button', { name: 'Forward', exact: true })).toBeDisabled()
  await dialog.getByRole('searchbox').fill('forw')
  await expect(dialog.getByRole('listitem')).toHaveCount(1)
  await dialog.getByRole('checkbox', { name: 'Forwarding' }).check()
  await dialog.getByRole('searchbox').fill('cid')
  await dialog.getByRole('checkbox', { name: 'Cid' }).check()
  await expect(dialog.getByRole('status')).toHaveText('2 of 5 chosen')
  await dialog.getByRole('searchbox').fill('nobody at all')
  await expect(dialog).toContainText('Nothing found.')
  await dialog.getByRole('searchbox').fill('')
  await dialog.getByRole('button', { name: 'Forward', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await expect(aya.page.getByText('Forwarded to 2 chats.')).toBeVisible()

  await expect(messageLog(ben.page)).toContainText('Forwarded from Ben')
  await expect(messageLog(ben.page)).toContainText('Tea at four')
  await expect(messageLog(cid.page)).toContainText('Tea at four')
  await expect(messageLog(cid.page).locator('.forwarded-mark')).toHaveText('Forwarded')

  // Expects that the menu of a forwarded message has no item for editing.
  await aya.page.goto(`/group-chat/${group.id}`)
  await messageLog(aya.page).locator('.bubble', { hasText: 'Tea at four' }).hover()
  await aya.page.getByRole('button', { name: 'More about “Tea at four”' }).click()
  const menu = aya.page.locator('.menu:popover-open')
  await expect(menu.getByRole('button', { name: 'Delete' })).toBeVisible()
  await expect(menu.getByRole('button', { name: 'Edit' })).toHaveCount(0)
})

test('a chat that refuses the message shows why, and the others get it', async ({ admin, member }) => {
  const aya = await admin('Aya')
  const ben = await member('Ben')
  for (const [one, two] of [
    [aya, ben],
    [ben, aya],
  ] as const)
    await follow(one, two)
  const ids: number[] = []
  for (const name of ['Slow group', 'Quick group']) {
    const { group } = await fetchJson(aya.page, 'POST', '/api/groups', { name })
    await fetchJson(aya.page, 'POST', `/api/groups/${group.id}/add-user`, {
      user_id: ben.id,
    })
    ids.push(group.id)
  }
  await fetchJson(aya.page, 'PUT', `/api/groups/${ids[0]}/slow-mode`, {
    seconds: 3600,
  })
  await fetchJson(ben.page, 'POST', '/api/group-messages/send', {
    group_id: ids[0],
    message: 'First',
  })
  await sendMessage(aya, ben, 'Hear, hear')
  await openChat(ben, aya)
  const dialog = await openForwardDialog(ben, 'Hear, hear')
  for (const name of ['Slow group', 'Quick group']) await dialog.getByRole('checkbox', { name }).check()
  await dialog.getByRole('button', { name: 'Forward', exact: true }).click()
  await expect(dialog).toContainText('Slow mode is on in this group.')
  await expect(dialog).toContainText('The message was not sent to one chat.')
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Quick group' })).toContainText('Sent')
  await expect(dialog.getByRole('checkbox', { name: 'Quick group' })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: 'Slow group' }).uncheck()
  await dialog.getByRole('button', { name: 'Close' }).click()
  const received = await (await ben.page.request.get(`/api/group-messages/${ids[1]}`)).json()
  expect(received).toMatchObject([{ message: 'Hear, hear', forwarded: { from: { id: aya.id } } }])
})
