import { explain, site, start } from '#main.ts'

try {
  await start({ site: site() })
} catch (error) {
  explain(error)
}
