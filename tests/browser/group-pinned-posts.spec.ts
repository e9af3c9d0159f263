import { messageLog } from './chat-helpers.ts'
import { expect, fetchJson, type PageMember, test } from './fixture.ts'

const getBar = ({ page }: PageMember) => page.getByRole('region', { name: 'Pinned posts' })

test('the page of a group shows its pinned posts, live for its members', async ({ admin, member }) => {
  const ann = await admin('Ann')
  const ben = await member('Ben')
  const create = async (name: string) =>
    (await fetchJson(ann.page, 'POST', '/api/groups', { name })).group.id as number
  const group = await create('Kiln')
  const otherGroup = await create('Tea')
  await fetchJson(ann.page, 'POST', `/api/groups/${group}/add-user`, {
    user_id: ben.id,
  })
  await fetchJson(ann.page, 'POST', `/api/groups/${otherGroup}/add-user`, {
    user_id: ben.id,
  })
  const write = async ({ page }: PageMember, text: string) =>
    (
      await fetchJson(page, 'POST', '/api/posts', {
        text,
        audience: 'group',
        group_id: group,
      })
    ).post.id as number
  const rota = await write(ben, 'The rota\nof this month')
  const rules = await write(ann, 'The rules of the kiln')
  for (const { page } of [ann, ben]) {
    await page.goto(`/group-chat/${group}`)
    await expect(messageLog(page)).toBeVisible()
  }

  // The admin Ann, who owns the group, pins Ben's post on the page of this post.
  const owner = await ann.page.context().newPage()
  await owner.goto(`/posts/${rota}`)
  await owner.getByRole('button', { name: /^More/ }).first().click()
  await owner.getByRole('button', { name: 'Pin in the group' }).click()
  await expect(getBar(ann).getByRole('link')).toHaveText('Post by Ben The rota of this month')
  await expect(getBar(ben).getByRole('link')).toHaveText('Your post The rota of this month')
  await expect(getBar(ben).getByRole('button')).toHaveCount(0)

  await fetchJson(ann.page, 'PUT', `/api/posts/${rules}/pin`)
  await expect(getBar(ben).getByRole('link')).toHaveText('Post by Ann The rules of the kiln')
  await getBar(ben).getByRole('button', { name: 'All 2 pinned posts' }).press('Enter')
  const dialog = ben.page.getByRole('dialog', { name: 'Pinned posts' })
  await expect(dialog.getByRole('listitem')).toHaveCount(2)
  await dialog.getByRole('link', { name: 'Open post “The rota of this month”' }).press('Enter')
  await expect(ben.page).toHaveURL(new RegExp(`/posts/${rota}$`))
  await expect(dialog).toHaveCount(0)
  await ben.page.goBack()
  await expect(getBar(ben)).toContainText('The rules of the kiln')

  // Expects that the bar of pinned posts shows the new text of an edited post, shows the other post when this
  // one is unpinned, and disappears when the other post is deleted.
  await fetchJson(ann.page, 'PUT', `/api/posts/${rules}`, { text: 'The new rules' })
  for (const who of [ann, ben]) await expect(getBar(who)).toContainText('The new rules')
  await fetchJson(ann.page, 'DELETE', `/api/posts/${rules}/pin`)
  for (const who of [ann, ben]) await expect(getBar(who)).toContainText('The rota of this month')
  await fetchJson(ben.page, 'DELETE', `/api/posts/${rota}`)
  for (const who of [ann, ben]) await expect(getBar(who)).toHaveCount(0)

  // Expects that another group of the same members does not show the pinned post.
  await fetchJson(ann.page, 'PUT', `/api/posts/${await write(ann, 'Only for Kiln')}/pin`)
  await expect(getBar(ben)).toContainText('Only for Kiln')
  await ben.page.getByRole('link', { name: /Tea/ }).click()
  await expect(ben.page.getByRole('heading', { level: 1 })).toContainText('Tea')
  await expect(messageLog(ben.page)).toBeVisible()
  await ben.page.waitForLoadState('networkidle')
  await expect(ben.page.getByText('Only for Kiln')).toHaveCount(0)
})
