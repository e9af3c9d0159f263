import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { RunningServer } from '#tests/server.ts'
import { follow, messageBox, messageLog, sendMessage } from './chat-helpers.ts'
import { expect, fetchJson, type PageMember, registerMember, test, writePost } from './fixture.ts'
import type { Seat } from './seats.ts'

const LEAVER = 'Zaphira'

/**
 * Makes the requested deletion of an account due in the database. Then registers another member: this adds a
 * job, which wakes the server, and the server then also runs the deletion that is due.
 */
async function runDueDeletions({ folder }: RunningServer, seat: () => Promise<Seat>, { email }: PageMember) {
  const database = new DatabaseSync(join(folder, 'engawa.db'))
  const now = new Date().toISOString()
  database.exec('pragma busy_timeout = 5000')
  database
    .prepare(`update jobs set run_at = ? where kind = 'delete_account' and finished_at is null`)
    .run(now)
  database.close()
  await registerMember((await seat()).page, 'Passer-by', `passer.by.${email}`)
}

/** Requests the deletion of the account on the account page, which is open. */
async function requestDeletion({ page }: PageMember) {
  const section = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Delete the account' }) })
  await expect(section.getByText('1 post', { exact: true })).toBeVisible()
  await expect(section.getByText('2 messages in private chats')).toBeVisible()
  await section.getByRole('button', { name: 'Delete account…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await dialog.getByRole('textbox').fill('somebody')
  await dialog.getByRole('button', { name: 'Delete account', exact: true }).click()
  await expect(dialog.getByRole('textbox')).toHaveAttribute('aria-invalid', 'true')
  const handle = /@\S+(?=,)/.exec(
    (await dialog.locator('label', { hasText: 'Type your handle' }).textContent())!,
  )![0]
  await dialog.getByRole('textbox').fill(handle)
  await dialog.getByRole('button', { name: 'Delete account', exact: true }).click()
  await expect(dialog).toBeHidden()
  return section
}

test('a member who leaves disappears from the open windows of others, and the texts of messages stay', async ({
  admin,
  member,
  seat,
  server,
}) => {
  const [ann, ben, eve] = [await admin('Ann'), await member('Ben'), await member('Eve')]
  const leaver = await member(LEAVER)
  for (const other of [ann, eve]) await follow(leaver, other)
  await writePost(leaver.page, `The last post of ${LEAVER}`)
  await sendMessage(leaver, ann, 'goodbye ann')
  await sendMessage(leaver, eve, 'goodbye eve')
  const { group } = await fetchJson(ann.page, 'POST', '/api/groups', { name: 'Club' })
  for (const { id } of [ben, leaver])
    await fetchJson(ann.page, 'POST', `/api/groups/${group.id}/add-user`, {
      user_id: id,
    })
  await fetchJson(leaver.page, 'POST', '/api/group-messages/send', {
    group_id: group.id,
    message: 'hello club',
  })
  await ann.page.goto(`/privatechat/${leaver.id}`)
  await expect(messageLog(ann.page)).toContainText('goodbye ann')
  await ben.page.goto(`/group-chat/${group.id}`)
  await expect(messageLog(ben.page)).toContainText(LEAVER)
  await eve.page.goto('/')
  await expect(eve.page.getByText(`The last post of ${LEAVER}`)).toBeVisible()

  await leaver.page.goto('/account')
  const section = await requestDeletion(leaver)
  await expect(leaver.page.getByText(/^Your account will be deleted on/).first()).toBeVisible()
  await section.getByRole('button', { name: 'Cancel the deletion' }).click()
  await expect(section.getByRole('button', { name: 'Delete account…' })).toBeVisible()
  await requestDeletion(leaver)
  await runDueDeletions(server, seat, leaver)

  await expect(eve.page.getByText(`The last post of ${LEAVER}`)).toHaveCount(0)
  await expect(ann.page.getByRole('heading', { name: 'There is no such user.' })).toBeVisible()
  await expect(messageLog(ben.page)).toContainText('hello club')
  await expect(messageLog(ben.page)).toContainText('Former member')
  await expect(ben.page.getByText('2 members').first()).toBeVisible()
  for (const { page } of [ann, ben, eve]) await expect(page.locator('body')).not.toContainText(LEAVER)
  await leaver.page.goto('/account')
  await expect(leaver.page.getByRole('main').getByRole('link', { name: 'Log in' })).toBeVisible()

  // Expects that the private chat with the deleted member stays in ann's list, and that ann can read it.
  await ann.page.goto('/users')
  await ann.page
    .getByRole('main')
    .getByRole('link', { name: /Former member/ })
    .click()
  await expect(messageLog(ann.page)).toContainText('goodbye ann')
  await expect(ann.page.getByText('This person is no longer a member')).toBeVisible()
  await expect(messageBox(ann.page)).toHaveCount(0)
  expect(server.logs().toLowerCase()).not.toContain(LEAVER.toLowerCase())
  expect(server.logs()).not.toContain(leaver.email)
})

test('an admin requests the deletion of a member, and takes it back', async ({ admin, member }) => {
  const ann = await admin('Ann')
  const ben = await member('Ben')
  await ann.page.goto('/admin/users')
  await ann.page.getByPlaceholder('Search by name or email').fill(ben.email)
  const row = ann.page.locator(`[data-account="${ben.id}"]`)
  const choose = async (item: string) => {
    await row.getByRole('button', { name: 'More about Ben' }).click()
    await ann.page.getByRole('button', { name: item }).click()
  }
  await choose('Delete…')
  const dialog = ann.page.getByRole('dialog', { name: 'Delete the account of Ben?' })
  await dialog.getByLabel('Delete them too').check()
  await dialog.getByRole('button', { name: 'Delete in a week' }).click()
  await expect(row).toContainText('Deleted on')
  await expect(row).toContainText('Suspended')
  await choose('Cancel the deletion…')
  await ann.page.getByRole('dialog').getByRole('button', { name: 'Cancel the deletion' }).click()
  await expect(row).not.toContainText('Deleted on')
  await expect(row).not.toContainText('Suspended')
})
