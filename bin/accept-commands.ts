import { acceptStorage } from '#core/media/marker.ts'
import { openMediaStorage } from '#core/media/open-storage.ts'
import { countMissingInMediaSample } from '#core/media/sample.ts'
import { acceptSecrets, listChangedSecretNames } from '#core/secrets.ts'
import { countUnreadableAuthenticatorApps } from '#features/account/one-time-codes.ts'
import { type CliCommand, withCommunityDatabase } from './cli-community.ts'

/** The commands that tell the start that a change was meant, which it refuses otherwise. */
export const acceptCliCommandsByName: Record<string, CliCommand> = {
  'secret accept': {
    description: 'goes on with the SECRET and push-key that are set now',
    run: () =>
      withCommunityDatabase(async ({ db, config }) => {
        const changed = await listChangedSecretNames(config, db)
        await acceptSecrets(config, db)
        if (!changed.length) return 'The keys are those with which the community began.'
        const lost = await countUnreadableAuthenticatorApps(config, db)
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
        const storage = await openMediaStorage(config)
        try {
          const { looked, missing } = await countMissingInMediaSample(db, storage)
          await acceptStorage(db, storage)
          const of = storage.folder ?? 'the bucket of MEDIA_URL'
          return `The pictures are in ${of} from now on. Of ${looked} that were looked for, ${missing} are missing.`
        } finally {
          storage.close()
        }
      }),
  },
}
