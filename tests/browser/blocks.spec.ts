import {
  createPostByApiInBrowserTest,
  expect,
  expectPageAccessible,
  fetchApiJsonWithCookiesOfTestPage,
  test,
} from './fixture.ts'

test('a block hides a person, and the account page ends it', async ({ member }) => {
  const ann = await member('Ann Blocker')
  const ben = await member('Ben Blocked')
  await createPostByApiInBrowserTest(ben.page, 'Words of Ben')
  await createPostByApiInBrowserTest(ann.page, 'Words of Ann')
  await ann.page.goto(`/people/${ben.id}`)
  const opener = ann.page.getByRole('button', { name: 'More about Ben Blocked' })
  // Uses only the keyboard: opens the menu, then the dialog, and closes the dialog with Escape.
  await opener.focus()
  await ann.page.keyboard.press('ArrowUp')
  await expect(ann.page.getByRole('button', { name: 'Block…' })).toBeFocused()
  await ann.page.keyboard.press('Enter')
  const dialog = ann.page.getByRole('dialog', { name: 'Block Ben Blocked?' })
  await expect(dialog).toContainText('You will no longer see each other')
  await expectPageAccessible(ann.page)
  await ann.page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await opener.click()
  await ann.page.getByRole('button', { name: 'Block…' }).click()
  await dialog.getByRole('button', { name: 'Block', exact: true }).click()
  await expect(ann.page).toHaveURL('/account#blocked')
  const unblock = ann.page.getByRole('button', { name: 'Unblock Ben Blocked' })
  await expect(unblock).toBeInViewport()
  await expectPageAccessible(ann.page)
  await ann.page.goto('/')
  await expect(ann.page.getByText('Words of Ann')).toBeVisible()
  await expect(ann.page.getByText('Words of Ben')).toHaveCount(0)
  for (const [page, id] of [
    [ann.page, ben.id],
    [ben.page, ann.id],
  ] as const) {
    await page.goto(`/people/${id}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found.')
  }

  await ann.page.goto('/account')
  await unblock.click()
  await expect(ann.page.getByText('You and Ben Blocked can see each other again.')).toBeVisible()
  await expect(ann.page.getByText('You have blocked nobody.')).toBeVisible()
  await ann.page.goto('/')
  await expect(ann.page.getByText('Words of Ben')).toBeVisible()
})

test('in a group, a blocked person’s message is a note that can be opened', async ({
  member,
  grantAdmin,
}) => {
  const ann = await member('Ann Notes')
  const ben = await member('Ben Notes')
  await grantAdmin(ann.id)
  const { group } = await fetchApiJsonWithCookiesOfTestPage(ann.page, 'POST', '/api/groups', {
    name: 'Garden',
  })
  await fetchApiJsonWithCookiesOfTestPage(ann.page, 'POST', `/api/groups/${group.id}/add-user`, {
    user_id: ben.id,
  })
  for (const message of ['Tomatoes are ripe', 'Beans too'])
    await fetchApiJsonWithCookiesOfTestPage(ben.page, 'POST', '/api/group-messages/send', {
      group_id: group.id,
      message,
    })
  await fetchApiJsonWithCookiesOfTestPage(ann.page, 'POST', `/api/users/${ben.id}/block`)
  await ann.page.goto(`/group-chat/${group.id}`)
  const notes = ann.page.getByText('Message of a person you blocked.')
  await expect(notes).toHaveCount(2)
  await expect(ann.page.getByText('Tomatoes')).toHaveCount(0)
  await expectPageAccessible(ann.page)
  await ann.page.getByRole('button', { name: 'Show' }).first().click()
  await expect(ann.page.getByText('Tomatoes are ripe')).toBeVisible()
  await expect(ann.page.getByText('Ben Notes')).toBeVisible()
  await expect(notes).toHaveCount(1)
})

test('a mute is made and ended by its member, and folds the messages in a group', async ({
  member,
  grantAdmin,
}) => {
  const ann = await member('Ann Muter')
  const ben = await member('Ben Muted')
  await grantAdmin(ann.id)
  await createPostByApiInBrowserTest(ben.page, 'Loud words of Ben')
  const { group } = await fetchApiJsonWithCookiesOfTestPage(ann.page, 'POST', '/api/groups', {
    name: 'Loud garden',
  })
  await fetchApiJsonWithCookiesOfTestPage(ann.page, 'POST', `/api/groups/${group.id}/add-user`, {
    user_id: ben.id,
  })
  const message = { group_id: group.id, message: 'Loud message' }
  await fetchApiJsonWithCookiesOfTestPage(ben.page, 'POST', '/api/group-messages/send', message)
  // Turns animations off, so that the contrast is measured when the page is finished.
  await ann.page.emulateMedia({ reducedMotion: 'reduce' })
  await ann.page.goto(`/people/${ben.id}`)
  await ann.page.getByRole('button', { name: 'More about Ben Muted' }).click()
  await ann.page.getByRole('button', { name: 'Mute…' }).click()
  const dialog = ann.page.getByRole('dialog', { name: 'Mute Ben Muted?' })
  await expect(dialog).toBeVisible()
  await expectPageAccessible(ann.page)
  await dialog.getByRole('button', { name: 'Mute', exact: true }).click()
  await expect(ann.page).toHaveURL('/account#muted')
  await expect(ann.page.getByRole('button', { name: 'Unmute Ben Muted' })).toBeInViewport()
  await expectPageAccessible(ann.page)
  await ann.page.goto('/')
  await expect(ann.page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(ann.page.getByText('Loud words of Ben')).toHaveCount(0)
  await ann.page.goto(`/group-chat/${group.id}`)
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
  await ann.page.goto('/')
  await expect(ann.page.getByText('Loud words of Ben')).toBeVisible()
})
