import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

interface Service {
  extends?: object
  image?: string
}
const servicesOf = (file: string) =>
  Object.entries(
    (
      parse(readFileSync(join(import.meta.dirname, '..', file), 'utf8'), {
        // The tags of Docker Compose, such as `!reset`, mean nothing here.
        logLevel: 'silent',
      }) as { services: Record<string, Service> }
    ).services,
  )

test.each(
  servicesOf('compose.yaml').concat(servicesOf('compose.many.yaml').filter(([, { image }]) => image)),
)('the container %s cannot write to its image, has no needless rights, and is bounded', (_, service) => {
  expect(service).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    mem_limit: expect.stringMatching(/^\d+[mg]$/),
    pids_limit: expect.any(Number),
  })
})
