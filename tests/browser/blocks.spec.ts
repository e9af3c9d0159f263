import type { Page } from '@playwright/test'
import { expect, expectAccessible, fetchJson, type PageMember, test, writePost } from './fixture.ts'

const openHome = (page: Page) => page.getByRole('link', { name: 'Home', exact: true }).first().click()

async function createGroupWithMessagesOfBen(ann: PageMember, ben: PageMember, messages: readonly string[]) {
  const { group } = await fetchJson(ann.page, 'POST', '/api/groups', {
    name: 'Garden',
  })
  await fetchJson(ann.page, 'POST', `/api/groups/${group.id}/add-user`, {
    user_id: ben.id,
  })
  for (const message of messages)
    await fetchJson(ben.page, 'POST', '/api/group-messages/send', {
      group_id: group.id,
      message,
    })
  return group.id as number
}

test('a block hides a person, folds their messages in a group into notes that can be opened, and ends on the account page', async ({
  member,
  admin,
}) => {
  const ann = await admin('Ann Blocker')
  const ben = await member('Ben Blocked')
  await writePost(ben.page, 'Words of Ben')
  await writePost(ann.page, 'Words of Ann')
  const group = await createGroupWithMessagesOfBen(ann, ben, ['Tomatoes are ripe', 'Beans too'])
  const { page } = ann
  await page.goto(`/people/${ben.id}`)
  const opener = page.getByRole('button', { name: 'More about Ben Blocked' })
  // Uses only the keyboard: opens the menu, then the dialog, and closes the dialog with Escape.
  await opener.focus()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('button', { name: 'Block…' })).toBeFocused()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Block Ben Blocked?' })
  await expect(dialog).toContainText('You will no longer see each other')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await opener.click()
  await page.getByRole('button', { name: 'Block…' }).click()
  await dialog.getByRole('button', { name: 'Block', exact: true }).click()
  await expect(page).toHaveURL('/account#blocked')
  const unblock = page.getByRole('button', { name: 'Unblock Ben Blocked' })
  await expect(unblock).toBeInViewport()
  await openHome(page)
  await expect(page.getByText('Words of Ann')).toBeVisible()
  await expect(page.getByText('Words of Ben')).toHaveCount(0)
  await page.goto(`/people/${ben.id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found.')

  await page.goto(`/group-chat/${group}`)
  const notes = page.getByText('Message of a person you blocked.')
  await expect(notes).toHaveCount(2)
  await expect(page.getByText('Tomatoes')).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Show' }).first().click()
  await expect(page.getByText('Tomatoes are ripe')).toBeVisible()
  await expect(page.getByText('Ben Blocked')).toBeVisible()
  await expect(notes).toHaveCount(1)

  await page.goto('/account')
  await unblock.click()
  await expect(page.getByText('You and Ben Blocked can see each other again.')).toBeVisible()
  await expect(page.getByText('You have blocked nobody.')).toBeVisible()
  await openHome(page)
  await expect(page.getByText('Words of Ben')).toBeVisible()
})

test('a mute is made and ended by its member, and folds the messages in a group', async ({
  member,
  admin,
}) => {
  const ann = await admin('Ann Muter')
  const ben = await member('Ben Muted')
  await writePost(ben.page, 'Loud words of Ben')
  await writePost(ann.page, 'Quiet words of Ann')
  const group = await createGroupWithMessagesOfBen(ann, ben, ['Loud message'])
  // Turns animations off, so that the contrast is measured when the page is finished.
  await ann.page.emulateMedia({ reducedMotion: 'reduce' })
  await ann.page.goto(`/people/${ben.id}`)
  await ann.page.getByRole('button', { name: 'More about Ben Muted' }).click()
  await ann.page.getByRole('button', { name: 'Mute…' }).click()
  const dialog = ann.page.getByRole('dialog', { name: 'Mute Ben Muted?' })
  await expect(dialog).toBeVisible()
  await expectAccessible(ann.page)
  await dialog.getByRole('button', { name: 'Mute', exact: true }).click()
  await expect(ann.page).toHaveURL('/account#muted')
  await expect(ann.page.getByRole('button', { name: 'Unmute Ben Muted' })).toBeInViewport()
  await openHome(ann.page)
  await expect(ann.page.getByText('Quiet words of Ann')).toBeVisible()
  await expect(ann.page.getByText('Loud words of Ben')).toHaveCount(0)
  await ann.page.goto(`/group-chat/${group}`)
  await expect(ann.page.getByText('Message of a person you muted.')).toBeVisible()
  await expect(ann.page.getByText('Loud message')).toHaveCount(0)
  await ann.page.getByRole('button', { name: 'Show' }).click()
  await expect(ann.page.getByText('Loud message')).toBeVisible()
  await ann.page.goto(`/people/${ben.id}`)
  await expect(ann.page.getByText('Loud words of Ben')).toBeVisible()
  await ann.page.getByRole('button', { name: 'More about Ben Muted' }).click()
  await ann.page.getByRole('button', { name: 'Unmute…' }).click()
  await ann.page.getByRole('button', { name: 'Unmute', exact: true }).click()
  await expect(ann.page.getByRole('dialog')).toBeHidden()
  await openHome(ann.page)
  await expect(ann.page.getByText('Loud words of Ben')).toBeVisible()
})
