import '#features/people/web/account-pages.css'
import { initialPageData } from '#web/page-data.ts'
import { DecorativeAvatars } from '#web/ui/PageLayout.tsx'

/**
 * Shows the picture of the community beside the title of a page. Shows decorative avatars if there is none,
 * or if the viewer may not see it.
 */
export function CommunityPicture() {
  const { picture, name } = initialPageData.app
  if (!picture) return <DecorativeAvatars />
  return <img className="community-picture" src={picture} alt={name} width={48} height={48} />
}
