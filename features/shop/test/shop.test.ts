import { describe, expect, test } from 'vitest'
import { createTestApp, dialectsInTurn, readRows } from '#tests/harness.ts'
import { axiosMember } from '#tests/sanctum.ts'
import { startServer } from '#tests/server.ts'

const sentence = { message: expect.stringMatching(/\S/) }

describe.each(dialectsInTurn())('the shop on %s', (dialect) => {
  const open = () => createTestApp({ dialect })
  const amounts = (body: { cart: { id: number; quantity: number }[] }) =>
    body.cart.map(({ id, quantity }) => [id, quantity])

  // spec: 3.6, 7.31
  test('shows a product to anyone, from the first start on', async () => {
    const { visitor, members } = await open()
    const { Ann } = await members('Ann')
    for (const who of [visitor(), Ann]) {
      const { status, body } = await who.get('/api/products/1')
      expect(status).toBe(200)
      expect(body.product).toMatchObject({ id: 1, name: 'Workshop apron, indigo', price: 4800 })
    }
    expect((await visitor().get('/api/products/6')).status).toBe(200)
    for (const id of [7, 999_999_999_999]) {
      const { status, body } = await visitor().get(`/api/products/${id}`)
      expect({ status, body }, `${id}`).toEqual({ status: 404, body: sentence })
    }
    for (const id of ['0', '-1', 'x', '1.5', '9'.repeat(30)])
      expect((await visitor().get(`/api/products/${id}`)).status, id).toBe(422)
    expect((await visitor({ 'accept-language': 'ja' }).get('/api/products/7')).body.message).toBe(
      'その商品は見つかりません。',
    )
  })

  // spec: 3.7, 7.32, 7.33
  test('adds the given quantity, or one, to the cart', async () => {
    const { members } = await open()
    const { Ann } = await members('Ann')
    expect((await Ann.get('/api/cart')).body).toEqual({ cart: [] })
    const first = await Ann.post('/api/cart/add/2')
    expect(first).toMatchObject({
      status: 200,
      body: { ...sentence, cart: [{ id: 2, name: '青磁の飯碗（中）', price: 3200, quantity: 1 }] },
    })
    expect(amounts((await Ann.post('/api/cart/add/2', { quantity: 3 })).body)).toEqual([[2, 4]])
    expect(amounts((await Ann.post('/api/cart/add/1', { quantity: '2' })).body)).toEqual([
      [2, 4],
      [1, 2],
    ])
    expect(amounts((await Ann.post('/api/cart/add/1', { quantity: '' })).body)[1]).toEqual([1, 3])
    expect((await Ann.get('/api/cart')).body.cart).toMatchObject([
      { id: 2, name: '青磁の飯碗（中）', price: 3200, quantity: 4 },
      { id: 1, name: 'Workshop apron, indigo', price: 4800, quantity: 3 },
    ])
  })

  test('sets a quantity and removes a product, only in the own cart', async () => {
    const { members } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    for (const who of [Ann, Ben]) await who.post('/api/cart/add/2', { quantity: 5 })
    expect(amounts((await Ann.put('/api/cart/2', { quantity: 3 })).body)).toEqual([[2, 3]])
    for (const quantity of [0, -1, 1.5, 1000, null, 'x'])
      expect(await Ann.put('/api/cart/2', { quantity }), `${quantity}`).toMatchObject({
        status: 422,
        body: { errors: { quantity: [expect.any(String)] } },
      })
    for (const call of [Ann.put('/api/cart/7', { quantity: 1 }), Ann.delete('/api/cart/7')])
      expect((await call).status).toBe(404)
    expect(amounts((await Ann.get('/api/cart')).body)).toEqual([[2, 3]])
    for (let i = 0; i < 2; i++) expect((await Ann.delete('/api/cart/2')).body).toEqual({ cart: [] })
    expect(amounts((await Ben.get('/api/cart')).body)).toEqual([[2, 5]])
  })

  test('takes the product id from the path, whatever the body says', async () => {
    const { members } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const given = { productId: 1, product_id: 1, user_id: Ben.id, price: 1, id: 1, quantity: 2 }
    expect((await Ann.post('/api/cart/add/3', given)).body.cart).toMatchObject([
      { id: 3, price: 650, quantity: 2 },
    ])
    expect((await Ben.get('/api/cart')).body).toEqual({ cart: [] })
  })

  // spec: 9.5
  test('refuses an invalid quantity, and names the field', async () => {
    const { members, db } = await open()
    const { Ann } = await members('Ann')
    for (const quantity of [
      0,
      -1,
      1.5,
      'x',
      '0',
      '-1',
      '1.5',
      1e30,
      '9'.repeat(30),
      1000,
      null,
      true,
      [2],
      { quantity: 1 },
    ]) {
      const { status, body } = await Ann.post('/api/cart/add/1', { quantity })
      expect(status, JSON.stringify(quantity)).toBe(422)
      expect(body.errors).toEqual({ quantity: [expect.stringMatching(/\S/)] })
      expect(body.message).toBe(body.errors.quantity[0])
    }
    expect(await readRows(db, 'cart_items')).toEqual([])
  })

  test('holds at most 999 of one product', async () => {
    const { members } = await open()
    const { Ann } = await members('Ann')
    expect((await Ann.post('/api/cart/add/1', { quantity: 998 })).status).toBe(200)
    expect((await Ann.post('/api/cart/add/1', { quantity: 2 })).status).toBe(422)
    expect(amounts((await Ann.post('/api/cart/add/1', { quantity: 1 })).body)).toEqual([[1, 999]])
    const { status, body } = await Ann.post('/api/cart/add/1')
    expect(status).toBe(422)
    expect(body.errors.quantity[0]).toContain('999')
    expect(amounts((await Ann.post('/api/cart/add/2', { quantity: 999 })).body)).toEqual([
      [1, 999],
      [2, 999],
    ])
  })

  test('answers 404 for unknown products', async () => {
    const { members, db } = await open()
    const { Ann } = await members('Ann')
    for (const body of [{}, { quantity: 5000 }]) {
      const { status, body: said } = await Ann.post('/api/cart/add/7', body)
      expect({ status, said }).toEqual({ status: 404, said: sentence })
    }
    for (const id of ['0', 'x', '1.5']) expect((await Ann.post(`/api/cart/add/${id}`)).status, id).toBe(422)
    expect(await readRows(db, 'cart_items')).toEqual([])
  })

  test('requires a log-in and a token', async () => {
    const { members, visitor, db } = await open()
    const { Ann } = await members('Ann')
    const guest = visitor()
    await guest.get('/sanctum/csrf-cookie')
    for (const answer of [await guest.get('/api/cart'), await guest.post('/api/cart/add/1')])
      expect(answer).toMatchObject({ status: 401, body: { message: 'Unauthenticated.' } })
    expect((await Ann.send('POST', '/api/cart/add/1', {}, { 'x-xsrf-token': '' })).status).toBe(419)
    expect((await visitor().post('/api/cart/add/1')).status).toBe(419)
    expect(await readRows(db, 'cart_items')).toEqual([])
  })

  test('counts each of several concurrent requests', async () => {
    const { members } = await open()
    const { Ann } = await members('Ann')
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => Ann.post('/api/cart/add/1', { quantity: 2 })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200))
    expect(amounts((await Ann.get('/api/cart')).body)).toEqual([[1, 24]])
  })

  test('does not exceed its limit by concurrent requests', async () => {
    const { members } = await open()
    const { Ann } = await members('Ann')
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => Ann.post('/api/cart/add/1', { quantity: 100 })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), ...Array(3).fill(422)])
    expect(amounts((await Ann.get('/api/cart')).body)).toEqual([[1, 900]])
  })

  test('keeps a cart after the session, and shows it to its owner only', async () => {
    const { members, visitor } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    await Ann.post('/api/cart/add/4', { quantity: 5 })
    await Ben.post('/api/cart/add/5')
    expect((await Ann.post('/logout')).status).toBe(204)
    expect((await Ann.get('/api/cart')).status).toBe(401)
    const elsewhere = visitor()
    await elsewhere.get('/sanctum/csrf-cookie')
    expect(
      (await elsewhere.post('/login', { email: 'ann@engawa.example', password: 'correct horse' })).status,
    ).toBe(204)
    expect(amounts((await elsewhere.get('/api/cart')).body)).toEqual([[4, 5]])
    expect(amounts((await Ben.get('/api/cart')).body)).toEqual([[5, 1]])
  })
})

describe('the sample', () => {
  const pages = ['/products/1', '/cart']
  const calls = ['/api/products/{id}', '/api/cart', '/api/cart/add/{productId}']
  const accept = 'text/html'

  // spec: 1.10
  test('exists, and its pages contain their initial data', async () => {
    const { members } = await createTestApp()
    const { Ann } = await members('Ann')
    await Ann.post('/api/cart/add/1', { quantity: 7 })
    for (const path of pages) expect((await Ann.get(path, { accept })).status, path).toBe(200)
    expect((await Ann.get('/products/1', { accept })).body).toContain(
      '"url":"/api/products/1","body":{"product":{"id":1',
    )
    expect((await Ann.get('/cart', { accept })).body).toContain('"quantity":7')
    expect(Object.keys((await Ann.get('/api/openapi.json')).body.paths)).toEqual(
      expect.arrayContaining(calls),
    )
  })

  test('does not exist with DEMO=off: endpoints, pages and their description', async () => {
    const { members } = await createTestApp({ env: { DEMO: 'off' } })
    const { Ann } = await members('Ann')
    for (const path of pages) expect((await Ann.get(path, { accept })).status, path).toBe(404)
    for (const path of ['/api/products/1', '/api/cart']) expect((await Ann.get(path)).status, path).toBe(404)
    expect((await Ann.post('/api/cart/add/1')).status).toBe(404)
    const { paths } = (await Ann.get('/api/openapi.json')).body
    for (const path of calls) expect(paths).not.toHaveProperty([path])
  })

  test('keeps a cart over a restart, and while DEMO is off', async () => {
    const server = await startServer()
    const { http } = await axiosMember(server.url, 'Ana')
    await http.post('/api/cart/add/4', { quantity: 5 })
    await server.stop()
    for (const [DEMO, status] of [
      ['on', 200],
      ['off', 404],
      ['on', 200],
    ] as const) {
      const { url, stop } = await startServer({ DATA_DIR: server.folder, DEMO })
      const answer = await http.get('/api/cart', { baseURL: url })
      expect(answer.status).toBe(status)
      if (status === 200) expect(answer.data.cart).toMatchObject([{ id: 4, quantity: 5 }])
      await stop()
    }
  })
})
