import { expect, fetchJson, test } from './fixture.ts'

test('posts for followers and for a group are shown to them only, and the device remembers the choice', async ({
  admin,
  member,
}) => {
  const [ann, ben, cleo] = [await admin('Ann'), await member('Ben'), await member('Cleo')]
  const { group } = await fetchJson(ann.page, 'POST', '/api/groups', {
    name: 'Garden',
  })
  await fetchJson(ann.page, 'POST', `/api/groups/${group.id}/add-user`, {
    user_id: ben.id,
  })
  const audience = ann.page.getByLabel('Who can see this')
  const write = async (text: string) => {
    await ann.page.getByRole('link', { name: 'New Post' }).first().click()
    await ann.page.getByLabel('Text of the post').fill(text)
  }
  const submit = async () => {
    await ann.page.getByRole('button', { name: 'Post', exact: true }).click()
    await expect(ann.page).toHaveURL('/')
  }
  const post = (text: string) => cleo.page.getByRole('article').filter({ hasText: text })
  const nothing = cleo.page.getByText(`${ann.name} has no posts to show.`)

  await ann.page.goto('/')
  await write('The key is under the pot')
  await expect(audience).toHaveValue('everyone')
  await audience.selectOption({ label: 'My followers' })
  await submit()
  await expect(ann.page.getByText('Only followers can see this').first()).toBeAttached()

  await cleo.page.goto(`/people/${ann.id}`)
  await expect(nothing).toBeVisible()
  await cleo.page.getByRole('button', { name: `Follow ${ann.name}` }).click()
  await expect(post('The key is under the pot')).toContainText('Only followers can see this')
  await expect(cleo.page.getByText('1 post', { exact: true })).toBeVisible()

  await write('It is a heavy pot')
  await expect(audience).toHaveValue('followers')
  await submit()
  await cleo.page.getByRole('button', { name: '1 new post' }).click()
  await expect(post('It is a heavy pot')).toBeVisible()

  await cleo.page.getByRole('button', { name: `Unfollow ${ann.name}` }).click()
  await expect(post('The key is under the pot')).toHaveCount(0)
  await expect(post('It is a heavy pot')).toHaveCount(0)

  await write('The beans are ripe')
  await audience.selectOption({ label: 'Garden' })
  await submit()
  await expect(ann.page.getByText('Only the group “Garden” can see this').first()).toBeAttached()
  await ben.page.goto(`/people/${ann.id}`)
  await expect(ben.page.getByRole('article')).toContainText('Only the group “Garden” can see this')
  await cleo.page.reload()
  await expect(nothing).toBeVisible()

  await ann.page.goto('/post')
  await expect(audience).toHaveValue(`group ${group.id}`)
  await fetchJson(ann.page, 'DELETE', `/api/groups/${group.id}`)
  await ann.page.reload()
  await expect(audience).toHaveValue('members')
})
