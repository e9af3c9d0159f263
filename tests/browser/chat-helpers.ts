import type { Page } from '@playwright/test'
import { expect, fetchApiJsonWithCookiesOfTestPage, type TestMemberWithBrowserPage } from './fixture.ts'

export const followMemberByApiInBrowserTest = (
  who: TestMemberWithBrowserPage,
  whom: TestMemberWithBrowserPage,
) => fetchApiJsonWithCookiesOfTestPage(who.page, 'POST', `/api/follow/${whom.id}`)
export const sendPrivateMessageByApiInBrowserTest = (
  from: TestMemberWithBrowserPage,
  to: TestMemberWithBrowserPage,
  input: string,
) =>
  fetchApiJsonWithCookiesOfTestPage(from.page, 'POST', '/api/send-private-message', {
    input,
    targetUserId: to.id,
  })
export const locateMessageTextbox = (page: Page) => page.getByRole('textbox', { name: 'Enter your message' })
export const locateMessageLog = (page: Page) => page.getByRole('log')
export const locateNavigationUnreadBadge = (page: Page) =>
  page.getByRole('navigation', { name: 'Main', exact: true }).locator('.badge')

export async function openPrivateChatInBrowserTest(
  who: TestMemberWithBrowserPage,
  other: TestMemberWithBrowserPage,
) {
  await who.page.goto(`/privatechat/${other.id}`)
  await expect(locateMessageTextbox(who.page)).toBeVisible()
}

export async function registerAnnAndBenFollowingEachOther(
  member: (name: string) => Promise<TestMemberWithBrowserPage>,
) {
  const ann = await member('Ann')
  const ben = await member('Ben')
  await followMemberByApiInBrowserTest(ann, ben)
  await followMemberByApiInBrowserTest(ben, ann)
  return { ann, ben }
}
