import { acceptCliCommandsByName } from './accept-commands.ts'
import { accountCliCommandsByName } from './account-commands.ts'
import { adminCliCommandsByName } from './admin-commands.ts'
import { backupCliCommandsByName } from './backup-commands.ts'
import { communityCommands } from './community-commands.ts'
import { doctorCliCommandsByName } from './doctor-command.ts'
import { logCliCommandsByName } from './log-commands.ts'
import { searchCliCommandsByName } from './search-commands.ts'
import { userCliCommandsByName } from './user-commands.ts'

/** All commands of the program `engawa`, in the order of the help. */
export const cliCommandsByName = {
  ...adminCliCommandsByName,
  ...logCliCommandsByName,
  ...userCliCommandsByName,
  ...accountCliCommandsByName,
  ...communityCommands,
  ...backupCliCommandsByName,
  ...searchCliCommandsByName,
  ...doctorCliCommandsByName,
  ...acceptCliCommandsByName,
}
