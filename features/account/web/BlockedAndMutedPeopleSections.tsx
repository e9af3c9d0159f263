import { blockEndpoints } from '#features/people/block-contract.ts'
import { muteEndpoints } from '#features/people/mute-contract.ts'
import { callEndpoint, fetchListPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { BlockedOrMutedPeopleSection } from './BlockedOrMutedPeopleSection.tsx'
import { blockedPeopleText, mutedPeopleText } from './hidden-people-text.ts'

/**
 * Renders two sections of the account page: one lists the people whom the member has blocked, the
 * other those whom the member has muted. The member can end each block and each mute there.
 */
export function BlockedAndMutedPeopleSections() {
  return (
    <>
      <BlockedOrMutedPeopleSection
        id="blocked"
        queryKey={[blockEndpoints.list.path]}
        fetchPage={(from) => fetchListPage(blockEndpoints.list, {}, from)}
        texts={useText(blockedPeopleText)}
        onRemove={(input) => callEndpoint(blockEndpoints.unblock, input)}
      />
      <BlockedOrMutedPeopleSection
        id="muted"
        queryKey={[muteEndpoints.list.path]}
        fetchPage={(from) => fetchListPage(muteEndpoints.list, {}, from)}
        texts={useText(mutedPeopleText)}
        onRemove={(input) => callEndpoint(muteEndpoints.unmute, input)}
      />
    </>
  )
}
