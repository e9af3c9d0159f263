import { annAndBen, messageLog, openChat } from './chat-helpers.ts'
import { expect, expectAccessible, expectNoOverflow, fetchJson, test } from './fixture.ts'

test.use({ viewport: { width: 390, height: 844 } })

test('a member asks in a post, others vote live, and the author sees who has not answered', async ({
  member,
}) => {
  const [ann, ben] = [await member('Ann'), await member('Ben')]
  await ann.page.goto('/post')
  await ann.page.getByRole('textbox', { name: 'Text of the post' }).fill('What shall we eat?')
  await ann.page.getByRole('button', { name: 'Poll' }).click()
  await ann.page.getByRole('textbox', { name: 'Choice 1' }).fill('Cake')
  await ann.page.getByRole('textbox', { name: 'Choice 2' }).fill('Soup')
  await expect(ann.page.getByRole('textbox', { name: 'Choice 3' })).toBeVisible()
  await ann.page.getByText('More settings').click()
  await ann.page.getByRole('checkbox', { name: 'Others may add choices' }).check()
  await expectAccessible(ann.page)
  await expectNoOverflow(ann.page)
  await ann.page.getByRole('button', { name: 'Post', exact: true }).click()

  await ben.page.goto('/')
  const [annsPoll, bensPoll] = [ann, ben].map(({ page }) =>
    page.locator('article', { hasText: 'What shall we eat?' }).getByRole('region', { name: 'Poll' }),
  )
  const soup = bensPoll!.getByRole('button', { name: /Soup/ })
  await soup.click()
  await expect(soup).toHaveAttribute('aria-pressed', 'true')
  await expect(annsPoll!.getByText('1 vote', { exact: true }).last()).toBeVisible()
  await bensPoll!.getByRole('button', { name: 'Add a choice' }).click()
  await bensPoll!.getByRole('textbox', { name: 'Add a choice' }).fill('Rice')
  await ben.page.keyboard.press('Enter')
  await annsPoll!.getByRole('button', { name: /Rice/ }).click()
  await expect(bensPoll!.getByText('2 votes')).toBeVisible()
  await expectAccessible(ben.page)

  await annsPoll!.getByRole('button', { name: 'More about the poll' }).click()
  await ann.page.getByRole('button', { name: 'Who voted' }).click()
  const dialog = ann.page.getByRole('dialog', { name: 'Who voted' })
  await expect(dialog.getByRole('listitem')).toHaveText([/Ben/])
  await dialog.getByRole('button', { name: 'Close' }).click()
  await annsPoll!.getByRole('button', { name: 'More about the poll' }).click()
  await ann.page.getByRole('button', { name: 'End now' }).click()
  await ann.page.getByRole('dialog').getByRole('button', { name: 'End now' }).click()
  await expect(bensPoll!.getByText('Ended')).toBeVisible()
  await expect(bensPoll!.getByRole('button', { name: /Soup/ })).toHaveCount(0)
})

test('people answer about days and attendance, also in a chat', async ({ member }) => {
  const { ann, ben } = await annAndBen(member)
  const input = {
    ...{ input: 'When do we meet?', targetUserId: ben.id },
    extras: {
      poll: { kind: 'dates', options: [{ day: '2027-02-01' }, { day: '2027-02-02', time: '19:30' }] },
    },
  }
  await fetchJson(ann.page, 'POST', '/api/send-private-message', input)
  const attendance = { text: 'Come to the picnic', extras: { poll: { kind: 'attendance' } } }
  const { post } = await fetchJson(ann.page, 'POST', '/api/posts', attendance)
  await openChat(ben, ann)
  const days = messageLog(ben.page).getByRole('region', { name: 'Which days?' })
  const second = days.getByRole('group', { name: /2 February/ })
  await second.getByRole('button', { name: /Yes/ }).click()
  await expect(second.getByRole('button', { name: /Yes/ })).toHaveAttribute('aria-pressed', 'true')
  await expect(days.getByText('Most can come')).toBeVisible()

  await ben.page.getByRole('button', { name: 'Poll', exact: true }).click()
  const dialog = ben.page.getByRole('dialog', { name: 'Poll' })
  await dialog.getByRole('textbox', { name: 'Enter your message' }).fill('Tea or coffee?')
  await dialog.getByRole('textbox', { name: 'Choice 1' }).fill('Tea')
  await dialog.getByRole('textbox', { name: 'Choice 2' }).fill('Coffee')
  await expectAccessible(ben.page)
  await dialog.getByRole('button', { name: 'Send' }).click()
  const tea = messageLog(ben.page).getByRole('button', { name: /^Tea/ })
  await tea.click()
  await expect(tea).toHaveAttribute('aria-pressed', 'true')
  await expectAccessible(ben.page)
  await ben.page.goto(`/posts/${post.id}`)
  const coming = ben.page.getByRole('region', { name: 'Who is coming?' })
  await coming.getByRole('button', { name: /Yes/ }).click()
  await coming.getByRole('textbox', { name: 'Comment (optional)' }).fill('A bit late')
  await coming.getByRole('button', { name: 'One more' }).click()
  await coming.getByRole('button', { name: 'Save' }).click()
  await expect(coming.getByText('+1 more')).toBeVisible()
  await expectAccessible(ben.page)
  await ben.page.setViewportSize({ width: 320, height: 700 })
  await expectNoOverflow(ben.page)
})

test('who asks reminds those who have not answered, and announces the result', async ({ admin, member }) => {
  const [ann, ben] = [await admin('Ann'), await member('Benno')]
  const { page } = ann
  const { group } = await fetchJson(page, 'POST', '/api/groups', { name: 'Choir' })
  await fetchJson(page, 'POST', `/api/groups/${group.id}/add-user`, { user_id: ben.id })
  const asked = {
    ...{ text: 'When do we meet?', audience: 'group', group_id: group.id },
    extras: {
      poll: { kind: 'dates', options: [{ day: '2027-02-01' }, { day: '2027-02-02', time: '19:30' }] },
    },
  }
  const { post } = await fetchJson(page, 'POST', '/api/posts', asked)
  await page.goto(`/posts/${post.id}`)
  const poll = page.getByRole('region', { name: 'Which days?' })
  const openMenu = () => poll.getByRole('button', { name: 'More about the poll' }).click()
  await openMenu()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Who has not answered' }).click()
  const missing = page.getByRole('dialog', { name: 'Who has not answered' })
  await expect(missing.getByRole('link', { name: /Benno/ })).toBeVisible()
  await missing.getByRole('button', { name: 'Remind them' }).click()
  const ask = page.getByRole('dialog', { name: 'Remind those who have not answered?' })
  await ask.getByRole('button', { name: 'Remind them' }).click()
  await expect(page.getByText('The reminder is on its way.')).toBeVisible()

  const unread = async () => (await (await ben.page.request.get('/api/notifications/unread')).json()).count
  // Of the group, and of the reminder.
  await expect.poll(unread).toBe(2)
  await ben.page.goto('/notifications')
  await ben.page.getByRole('link', { name: /waits for your answer/ }).click()
  await ben.page
    .getByRole('group', { name: /2 February/ })
    .getByRole('button', { name: 'Yes' })
    .click()
  await expect(poll.getByText('1 answer')).toBeVisible()
  await openMenu()
  await page.getByRole('button', { name: 'End now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End now' }).click()
  await expect(poll.getByText('Ended')).toBeVisible()
  await openMenu()
  await page.getByRole('button', { name: 'Announce the result' }).click()
  const box = page.getByRole('textbox', { name: 'Text of the post' })
  await expect(box).toHaveValue(/^Result: Which days\?\n- .*2 February.*: 1 person\nhttp/)
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(ben.page.getByRole('link', { name: /Notifications/ }).first()).toContainText('1')

  await page.goto('/post')
  await box.fill('Begun')
  await page.goto(`/posts/${post.id}`)
  await openMenu()
  await page.getByRole('button', { name: 'Announce the result' }).click()
  await expect(page.getByText('You have begun a post.')).toBeVisible()
  await expect(box).toHaveValue('Begun')
})

test('polls without an answer are on the page of what waits', async ({ member }) => {
  const ann = await member('Annasks')
  const ben = await member('Benanswers')
  const extras = { poll: { kind: 'attendance' } }
  const { post } = await fetchJson(ann.page, 'POST', '/api/posts', { text: 'Who sweeps the hall?', extras })
  const { page } = ben
  await page.goto('/waiting')
  const section = page.getByRole('region', { name: 'Polls without your answer' })
  await section.getByRole('link', { name: /Who sweeps the hall\?.*Attendance/ }).click()
  await expect(page).toHaveURL(new RegExp(`/posts/${post.id}$`))
  await page.getByRole('region', { name: 'Who is coming?' }).getByRole('button', { name: 'Yes' }).click()
  await expect
    .poll(async () =>
      (await (await page.request.get('/api/polls/waiting?limit=100')).json()).map(
        (one: { post_id: number }) => one.post_id,
      ),
    )
    .not.toContain(post.id)
  await page.goto('/waiting')
  await expect(section.getByText('Who sweeps the hall?')).toHaveCount(0)
})
