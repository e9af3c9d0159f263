import {
  locateMessageLog,
  openPrivateChatInBrowserTest,
  registerAnnAndBenFollowingEachOther,
  sendPrivateMessageByApiInBrowserTest,
} from './chat-helpers.ts'
import {
  expect,
  expectPageAccessible,
  fetchApiJsonWithCookiesOfTestPage,
  type TestMemberWithBrowserPage,
  test,
} from './fixture.ts'

const openSeenBy = async ({ page }: TestMemberWithBrowserPage, text: string) => {
  await locateMessageLog(page).locator('.bubble', { hasText: text }).hover()
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
  const { group } = await fetchApiJsonWithCookiesOfTestPage(aya.page, 'POST', '/api/groups', {
    name: 'Readers',
  })
  for (const { id } of [ben, cid])
    await fetchApiJsonWithCookiesOfTestPage(aya.page, 'POST', `/api/groups/${group.id}/add-user`, {
      user_id: id,
    })
  for (const { page } of [aya, ben]) await page.goto(`/group-chat/${group.id}`)
  await expect(aya.page.getByRole('img', { name: '1 person is here' })).toBeVisible()
  await fetchApiJsonWithCookiesOfTestPage(aya.page, 'POST', '/api/group-messages/send', {
    group_id: group.id,
    message: 'News',
  })
  await expect(locateMessageLog(aya.page)).toContainText('Seen by 1')

  const dialog = await openSeenBy(aya, 'News')
  await expect(dialog.getByRole('region', { name: 'Seen 1', exact: true })).toContainText('Ben')
  await expect(dialog.getByRole('region', { name: 'Not seen yet 1' })).toContainText('Cid')
  await expectPageAccessible(aya.page)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toHaveCount(0)

  await fetchApiJsonWithCookiesOfTestPage(cid.page, 'PUT', '/api/account/read-marks', { is_shared: false })
  await cid.page.goto(`/group-chat/${group.id}`)
  await expect(locateMessageLog(cid.page)).toContainText('News')
  const refused = await openSeenBy(cid, 'News')
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
  const { ann, ben } = await registerAnnAndBenFollowingEachOther(member)
  await sendPrivateMessageByApiInBrowserTest(ben, ann, 'Hello')
  await sendPrivateMessageByApiInBrowserTest(ann, ben, 'Answer')
  await openPrivateChatInBrowserTest(ann, ben)
  await openPrivateChatInBrowserTest(ben, ann)
  await expect(locateMessageLog(ann.page)).toContainText('Seen')
  await sendPrivateMessageByApiInBrowserTest(ben, ann, 'And you?')
  await expect(locateMessageLog(ben.page)).toContainText('Seen')
  const setSharing = (is_shared: boolean) =>
    fetchApiJsonWithCookiesOfTestPage(ben.page, 'PUT', '/api/account/read-marks', { is_shared })
  await setSharing(false)
  for (const { page } of [ann, ben]) await expect(locateMessageLog(page)).not.toContainText('Seen')
  await sendPrivateMessageByApiInBrowserTest(ann, ben, 'Secretly read')
  await expect(locateMessageLog(ben.page)).toContainText('Secretly read')
  await setSharing(true)
  for (const { page } of [ann, ben]) await expect(locateMessageLog(page)).toContainText('Seen')
})
