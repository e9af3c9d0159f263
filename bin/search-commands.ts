import { join } from 'node:path'
import { withReadTransaction } from '#core/backup/sqlite-file.ts'
import { OperatorError } from '#core/config.ts'
import type { Db } from '#core/database/database.ts'
import { postgresSnapshot } from '#core/database/transaction.ts'
import { compare } from '#features/search/compare.ts'
import { kinds } from '#features/search/sources.ts'
import * as upkeep from '#features/search/upkeep.ts'
import { type CliCommand, withCommunityDatabase } from './cli-community.ts'

export const searchCliCommandsByName: Record<string, CliCommand> = {
  'search rebuild': {
    description: 'builds the search index again, while people write; goes on where it was stopped',
    run: () =>
      withCommunityDatabase(async ({ db }) => {
        if ((await upkeep.progress(db)).isComplete) await upkeep.empty(db)
        for (const kind of kinds) while (await upkeep.fillBatch(db, kind)) await say(db)
        await say(db)
        return '\nAll texts can be found.'
      }),
  },
  'search check': {
    description: 'compares the search index with all posts, replies and messages',
    run: () =>
      withCommunityDatabase(async ({ db, config }) => {
        const { isComplete, share } = await upkeep.progress(db)
        const different = config.DATABASE_URL
          ? await postgresSnapshot(db, compare)
          : await withReadTransaction(join(config.DATA_DIR, 'engawa.db'), (snapshot) => compare(snapshot))
        if (different.length)
          throw new OperatorError(
            `The search index is wrong about ${different.length} texts, such as the ${different[0]!.kind} ${different[0]!.id}: bin/engawa search rebuild mends it.`,
          )
        return isComplete
          ? 'The search index has the words of all texts, and no others.'
          : `What the search index has is right. It has ${Math.floor(share * 100)} % of the texts yet.`
      }),
  },
}

async function say(db: Db) {
  const { share } = await upkeep.progress(db)
  process.stderr.write(`\r${Math.floor(share * 100)} %`)
}
