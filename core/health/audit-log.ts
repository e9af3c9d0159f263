import { readHead } from '#core/audit-log/keeper.ts'
import { isSealed } from '#core/audit-log/seals.ts'
import { FIRST_HASH } from '#core/audit-log/tables.ts'
import * as logWitness from '#core/audit-log/witness.ts'
import type { Config } from '#core/config.ts'
import type { Db } from '#core/database/database.ts'
import type { Finding } from './check.ts'

/**
 * Checks the end of the audit log: its seal, and that it continues what DATA_DIR knows. `engawa log check`
 * also reads all entries.
 */
export async function checkAuditLog(db: Db, { AUDIT_LOG_KEY, DATA_DIR }: Config): Promise<Finding> {
  const head = await readHead(db)
  const witness = logWitness.read(DATA_DIR)
  const known = witness?.entries
    ? await db.selectFrom('audit_log').select('hash').where('id', '=', witness.entries).executeTakeFirst()
    : { hash: FIRST_HASH }
  const isWhole = !witness || (known?.hash === witness.hash && witness.entries <= (head?.entries ?? 0))
  if (head && isSealed(AUDIT_LOG_KEY, head) && head.unproven_from === null && isWhole)
    return {
      status: 'ok',
      finding: {
        en: 'The end of the log of what admins did is as this server knows it.',
        ja: '管理者の操作記録の末尾は、このサーバーの控えと一致しています。',
      },
    }
  return {
    status: 'problem',
    finding: {
      en: 'The log of what admins did is not as this server knows it: another tool, another key or an older database was used.',
      ja: '管理者の操作記録が、このサーバーの控えと一致しません。別の手段で書き換えられたか、鍵またはデータベースが以前のものと違います。',
    },
    advice: {
      en: 'Run bin/engawa log check. It says what is wrong, from which entry on, and what to do.',
      ja: 'bin/engawa log check を実行してください。どの記録から違うのかと、対処のしかたが表示されます。',
    },
  }
}
