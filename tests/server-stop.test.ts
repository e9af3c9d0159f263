import { spawn } from 'node:child_process'
import { request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import axios from 'axios'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { eventually } from '#tests/eventually.ts'
import { axiosFile, axiosForm, axiosMember, axiosVisitor, pictureBytes } from '#tests/sanctum.ts'
import { serverFolder, startServer } from '#tests/server.ts'

describe('stopping the server', () => {
  test('through npm start stops the server process', async () => {
    const folder = await serverFolder()
    const npm = spawn('npm', ['start', '--silent'], {
      env: { ...process.env, PORT: '0', DATA_DIR: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    await new Promise<void>((resolve, reject) => {
      npm.once('close', (code) => reject(new Error(`npm start ended with ${code}:\n${said}`)))
      npm.stdout.on('data', (bytes) => {
        said += bytes
        if (/^Engawa is ready at /m.test(said)) resolve()
      })
    })
    const gone = new Promise((resolve) => npm.once('close', resolve))
    npm.kill('SIGTERM')
    await gone
    // Starts a new server in the same data folder. This succeeds only if no process of the stopped server
    // still uses the folder.
    expect(await (await startServer({ DATA_DIR: folder })).stop()).toBe(0)
  })

  test('does not wait for a silent mail server', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await new Promise((resolve) => silent.once('listening', resolve))
    const reached = new Promise((resolve) => silent.once('connection', resolve))
    const { port } = silent.address() as AddressInfo
    const server = await startServer({ SMTP_URL: `smtp://127.0.0.1:${port}` })
    await axiosMember(server.url, 'Ana')
    await reached
    expect(await server.stop('SIGTERM')).toBe(0)
    silent.close()
  })

  test('completes running requests, accepts no new ones, and exits with 0', async () => {
    const server = await startServer()
    const ana = await axiosMember(server.url, 'Ana')
    const body = '--x\r\nContent-Disposition: form-data; name="text"\r\n\r\nalmost too late\r\n--x--\r\n'
    const headers = {
      'Content-Type': 'multipart/form-data; boundary=x',
      'Content-Length': Buffer.byteLength(body),
      Cookie: ana.cookieHeader(),
      'X-XSRF-TOKEN': decodeURIComponent(ana.token()!.value),
    }
    const slow = request(`${server.url}/api/posts`, { method: 'POST', headers })
    const answered = new Promise<number>((resolve, reject) =>
      slow.once('response', (answer) => resolve(answer.resume().statusCode!)).once('error', reject),
    )
    slow.write(body.slice(0, 20))
    await axios.get(`${server.url}/healthz`)

    const gone = server.stop('SIGTERM')
    await eventually(async () => {
      const answer = await axios
        .get(`${server.url}/healthz`, { validateStatus: () => true })
        .catch(() => ({ status: 503 }))
      expect(answer.status).toBe(503)
    })
    slow.end(body.slice(20))
    expect(await answered).toBe(201)
    expect(await gone).toBe(0)

    const next = await startServer({ DATA_DIR: server.folder })
    expect((await axios.get(`${next.url}/api/posts`)).data[0].body).toBe('almost too late')
    expect(
      (await axios.get(`${next.url}/api/user`, { headers: { cookie: ana.cookieHeader() } })).status,
    ).toBe(200)
    await next.stop()
  })

  test('with SIGKILL right after a 201 loses neither the post nor its picture', async () => {
    const server = await startServer({ RATE_LIMIT: 'off' })
    const ana = await axiosMember(server.url, 'Ana')
    const fields = {
      text: 'kept',
      'images[]': axiosFile(await pictureBytes(120, 80), 'a.png'),
    }
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => ana.http.post('/api/posts', axiosForm(fields))),
    )
    const gone = server.stop('SIGKILL')
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(await gone).toBeNull()

    const next = await startServer({ DATA_DIR: server.folder })
    const { data } = await axios.get(`${next.url}/api/posts`)
    expect(data.map(({ id }: { id: number }) => id)).toEqual(
      answers.map((answer) => answer.data.post.id).sort((a, b) => b - a),
    )
    const shown = await axios.get(next.url + data[0].images[0].path, { responseType: 'arraybuffer' })
    expect(await sharp(shown.data).metadata()).toMatchObject({ width: 120, height: 80 })
    await sharp(shown.data).raw().toBuffer()
    expect((await axiosVisitor(next.url).logIn(ana.email)).status).toBe(204)
    await next.stop()
  })

  test('with SIGKILL during uploads leaves every shown post complete after the next start', async () => {
    const server = await startServer({ RATE_LIMIT: 'off' })
    const ana = await axiosMember(server.url, 'Ana')
    const photo = axiosFile(await pictureBytes(1500, 1000), 'a.png')
    const kept = await ana.http.post('/api/posts', axiosForm({ text: 'before', 'images[]': photo }))
    const others = [1, 2, 3, 4].map((n) =>
      ana.http
        .post('/api/posts', axiosForm({ text: `late ${n}`, 'images[]': [photo, photo] }))
        .catch(() => null),
    )
    await Promise.race(others)
    await server.stop('SIGKILL')
    await Promise.all(others)

    const next = await startServer({ DATA_DIR: server.folder })
    const { data } = await axios.get(`${next.url}/api/posts`)
    expect(data.at(-1).id).toBe(kept.data.post.id)
    for (const { images } of data)
      for (const { path } of images) expect((await axios.get(next.url + path)).status).toBe(200)
    await next.stop()
  })
})
