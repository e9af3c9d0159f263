import * as marker from '#core/media/marker.ts'
import { openStorage } from '#core/media/open-storage.ts'
import { countMissing } from '#core/media/sample.ts'
import * as storedSecrets from '#core/secrets/secrets.ts'
import * as oneTimeCodes from '#features/account/one-time-codes.ts'
import { type CliCommand, withCommunityDatabase } from './cli-community.ts'

/** The commands that tell the start that a change was meant, which it refuses otherwise. */
export const acceptCliCommandsByName: Record<string, CliCommand> = {
  'secret accept': {
    description: 'goes on with the SECRET and push-key that are set now',
    run: () =>
      withCommunityDatabase(async ({ db, config }) => {
        const changed = await storedSecrets.listChanged(config, db)
        await storedSecrets.acceptSecrets(config, db)
        if (!changed.length) return 'The keys are those with which the community began.'
        const lost = await oneTimeCodes.countUnreadable(config, db)
        return (
          `The community goes on with this ${changed.join(' and ')}.` +
          (lost
            ? `\nAuthenticator apps that do not work any more: ${lost}. Their owners log in with a recovery ` +
              'code, or you run `engawa second-step remove EMAIL`.'
            : '')
        )
      }),
  },
  'pictures accept': {
    description: 'goes on with the picture folder or MEDIA_URL that is set now',
    run: () =>
      withCommunityDatabase(async ({ db, config }) => {
        const storage = await openStorage(config)
        try {
          const { looked, missing } = await countMissing(db, storage)
          await marker.accept(db, storage)
          const of = storage.folder ?? 'the bucket of MEDIA_URL'
          return `The pictures are in ${of} from now on. Of ${looked} that were looked for, ${missing} are missing.`
        } finally {
          storage.close()
        }
      }),
  },
}
