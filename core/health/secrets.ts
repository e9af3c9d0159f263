import type { Config } from '#core/config.ts'
import type { Db } from '#core/database/database.ts'
import * as storedSecrets from '#core/secrets/secrets.ts'
import type { Finding } from './check.ts'

/** Checks that the secrets on which stored data depends are those with which the community began. */
export async function checkSecrets(db: Db, config: Config): Promise<Finding> {
  const changed = await storedSecrets.listChanged(config, db)
  if (!changed.length)
    return {
      status: 'ok',
      finding: {
        en: 'The keys are those with which the community began.',
        ja: '鍵は、コミュニティーを始めたときのものです。',
      },
    }
  const [names, dependents] = [changed.join(', '), storedSecrets.listDependents(changed)]
  return {
    status: 'problem',
    finding: {
      en: `These keys have another value than at the beginning: ${names}. So these do not work: ${dependents.en}.`,
      ja: `始めたときと値が違う鍵があります（${names}）。そのため、${dependents.ja}が使えません。`,
    },
    advice: {
      en: 'Set the old value, or restore its file in DATA_DIR from a backup. If the old value is lost: bin/engawa secret accept.',
      ja: '元の値を設定するか、DATA_DIRのファイルをバックアップから戻してください。元の値がない場合：bin/engawa secret accept',
    },
  }
}
