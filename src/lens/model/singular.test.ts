// Nouns from databases with their plurals, which were collected before the rules were written.
import { expect, test } from 'vitest';
import { toPlural, toSingular } from './singular.ts';

const NOUNS = `
  movie:movies series:series cookie:cookies status:statuses address:addresses person:people category:categories
  city:cities country:countries company:companies party:parties policy:policies delivery:deliveries
  inventory:inventories entry:entries history:histories salary:salaries currency:currencies agency:agencies
  facility:facilities activity:activities property:properties query:queries territory:territories survey:surveys
  key:keys day:days holiday:holidays essay:essays play:plays toy:toys boy:boys alley:alleys journey:journeys
  attorney:attorneys monkey:monkeys valley:valleys highway:highways subway:subways railway:railways tray:trays
  display:displays relay:relays array:arrays class:classes boss:bosses process:processes business:businesses
  access:accesses glass:glasses dress:dresses loss:losses pass:passes mattress:mattresses compass:compasses
  actress:actresses waitress:waitresses illness:illnesses witness:witnesses bus:buses campus:campuses
  virus:viruses bonus:bonuses census:censuses menu:menus corpus:corpora radius:radii stimulus:stimuli
  alumnus:alumni focus:focuses chorus:choruses circus:circuses genius:geniuses apparatus:apparatuses
  walrus:walruses octopus:octopuses syllabus:syllabi fungus:fungi box:boxes tax:taxes fax:faxes matrix:matrices
  vertex:vertices fox:foxes suffix:suffixes prefix:prefixes annex:annexes mailbox:mailboxes batch:batches
  branch:branches match:matches watch:watches switch:switches church:churches lunch:lunches coach:coaches
  pitch:pitches sketch:sketches search:searches launch:launches patch:patches bench:benches porch:porches
  beach:beaches torch:torches dish:dishes brush:brushes crash:crashes wish:wishes bush:bushes flash:flashes
  cache:caches niche:niches headache:headaches quiche:quiches avalanche:avalanches house:houses
  warehouse:warehouses course:courses case:cases purchase:purchases release:releases lease:leases license:licenses
  expense:expenses response:responses database:databases phase:phases phrase:phrases nurse:nurses horse:horses
  vase:vases exercise:exercises franchise:franchises enterprise:enterprises premise:premises disease:diseases
  mouse:mice louse:lice spouse:spouses clause:clauses cause:causes pause:pauses price:prices invoice:invoices
  service:services device:devices office:offices race:races place:places resource:resources source:sources
  province:provinces sentence:sentences audience:audiences balance:balances advance:advances allowance:allowances
  piece:pieces voice:voices page:pages image:images message:messages stage:stages garage:garages village:villages
  college:colleges package:packages usage:usages mortgage:mortgages pledge:pledges bridge:bridges edge:edges
  badge:badges judge:judges language:languages size:sizes prize:prizes quiz:quizzes breeze:breezes waltz:waltzes
  life:lives wife:wives knife:knives leaf:leaves shelf:shelves half:halves wolf:wolves loaf:loaves thief:thieves
  calf:calves scarf:scarves roof:roofs chief:chiefs brief:briefs proof:proofs belief:beliefs safe:safes cafe:cafes
  giraffe:giraffes tariff:tariffs cliff:cliffs sleeve:sleeves valve:valves curve:curves wave:waves cave:caves
  drive:drives olive:olives archive:archives glove:gloves move:moves executive:executives incentive:incentives
  native:natives relative:relatives objective:objectives hero:heroes potato:potatoes tomato:tomatoes echo:echoes
  photo:photos video:videos radio:radios studio:studios logo:logos memo:memos piano:pianos casino:casinos
  ratio:ratios portfolio:portfolios scenario:scenarios zoo:zoos tattoo:tattoos volcano:volcanoes torpedo:torpedoes
  euro:euros kilo:kilos shoe:shoes toe:toes canoe:canoes oboe:oboes man:men woman:women child:children foot:feet
  tooth:teeth goose:geese ox:oxen fisherman:fishermen policeman:policemen salesman:salesmen foreman:foremen
  craftsman:craftsmen human:humans german:germans grandchild:grandchildren analysis:analyses diagnosis:diagnoses
  thesis:theses crisis:crises hypothesis:hypotheses synopsis:synopses axis:axes emphasis:emphases
  prognosis:prognoses parenthesis:parentheses iris:irises tennis:tennis criterion:criteria phenomenon:phenomena
  medium:media bacterium:bacteria curriculum:curricula memorandum:memoranda stratum:strata museum:museums
  stadium:stadiums album:albums forum:forums premium:premiums aquarium:aquariums gymnasium:gymnasiums
  species:species news:news sheep:sheep deer:deer fish:fish aircraft:aircraft equipment:equipment
  information:information luggage:luggage software:software hardware:hardware money:money rice:rice
  headquarters:headquarters means:means gas:gases lens:lenses alias:aliases canvas:canvases atlas:atlases
  bias:biases pancreas:pancreases christmas:christmases yes:yeses pie:pies tie:ties zombie:zombies
  brownie:brownies hoodie:hoodies rookie:rookies prairie:prairies calorie:calories selfie:selfies goalie:goalies
  caddie:caddies eerie:eeries sortie:sorties lie:lies die:dies birdie:birdies genie:genies cutie:cuties
  smoothie:smoothies foodie:foodies talkie:talkies order:orders item:items customer:customers product:products
  payment:payments refund:refunds shipment:shipments supplier:suppliers vendor:vendors employee:employees
  department:departments account:accounts transaction:transactions line:lines machine:machines medicine:medicines
  vaccine:vaccines airline:airlines engine:engines magazine:magazines vehicle:vehicles article:articles
  title:titles role:roles file:files table:tables profile:profiles schedule:schedules sample:samples rule:rules
  sale:sales scale:scales cycle:cycles bicycle:bicycles muscle:muscles store:stores score:scores genre:genres
  theatre:theatres centre:centres fare:fares share:shares procedure:procedures fixture:fixtures time:times
  theme:themes game:games name:names frame:frames volume:volumes resume:resumes scheme:schemes date:dates
  state:states route:routes rate:rates note:notes quote:quotes vote:votes plate:plates site:sites website:websites
  estate:estates candidate:candidates certificate:certificates athlete:athletes institute:institutes
  attribute:attributes estimate:estimates gate:gates type:types recipe:recipes grape:grapes tape:tapes
  stripe:stripes envelope:envelopes league:leagues venue:venues issue:issues value:values queue:queues
  catalogue:catalogues avenue:avenues revenue:revenues colleague:colleagues fee:fees tree:trees referee:referees
  committee:committees coffee:coffees degree:degrees trainee:trainees bee:bees movement:movements user:users
  visit:visits view:views review:reviews crew:crews show:shows row:rows window:windows flow:flows law:laws
  bed:beds ward:wards card:cards record:records bond:bonds fund:funds grade:grades trade:trades code:codes
  node:nodes episode:episodes tube:tubes taxi:taxis ski:skis bikini:bikinis alibi:alibis sensor:sensors
  meter:meters reading:readings building:buildings booking:bookings rating:ratings meeting:meetings
  listing:listings specimen:specimens allergy:allergies surgery:surgeries pharmacy:pharmacies therapy:therapies
  nationality:nationalities county:counties community:communities university:universities library:libraries
  laboratory:laboratories battery:batteries factory:factories bakery:bakeries brewery:breweries gallery:galleries
  lottery:lotteries diary:diaries beneficiary:beneficiaries subsidiary:subsidiaries chassis:chassis debris:debris
  oasis:oases sms:sms gps:gps sos:sos id:ids tv:tvs cd:cds ad:ads pc:pcs sku:skus kpi:kpis faq:faqs url:urls
  api:apis dvd:dvds vip:vips plus:pluses surplus:surpluses abacus:abacuses hippopotamus:hippopotamuses
  nucleus:nuclei cactus:cacti locus:loci appendix:appendices crux:cruxes hoax:hoaxes equinox:equinoxes
  reflex:reflexes complex:complexes duplex:duplexes ray:rays buffalo:buffaloes mango:mangoes cargo:cargoes
  veto:vetoes embargo:embargoes waste:wastes taste:tastes paste:pastes cheese:cheeses sauce:sauces spice:spices
  juice:juices cereal:cereals crossing:crossings canal:canals harvest:harvests orchard:orchards beehive:beehives
  vineyard:vineyards grocery:groceries butcher:butchers recipe:recipes dose:doses overdose:overdoses nose:noses
  purse:purses universe:universes verse:verses corpse:corpses glimpse:glimpses lapse:lapses collapse:collapses
  impulse:impulses pulse:pulses false:falses promise:promises noise:noises cruise:cruises raise:raises
  praise:praises bruise:bruises tortoise:tortoises merchandise:merchandises surprise:surprises
  compromise:compromises franchisee:franchisees lessee:lessees payee:payees attendee:attendees crocus:crocuses
  cactus:cacti lotus:lotuses sinus:sinuses nexus:nexuses thesaurus:thesauruses nimbus:nimbuses minibus:minibuses
  omnibus:omnibuses discus:discuses consensus:consensuses prospectus:prospectuses hiatus:hiatuses nucleus:nuclei
  callus:calluses exodus:exoduses crowd:crowds cloud:clouds trousers:trousers scissors:scissors clothes:clothes
  watchman:watchmen chairman:chairmen alderman:aldermen layman:laymen ombudsman:ombudsmen ferry:ferries
  quarry:quarries treaty:treaties royalty:royalties penalty:penalties warranty:warranties inquiry:inquiries
  enquiry:enquiries colony:colonies ally:allies reply:replies supply:supplies assembly:assemblies
  anomaly:anomalies trolley:trolleys chimney:chimneys kidney:kidneys pulley:pulleys volley:volleys spray:sprays
  delay:delays payday:paydays runway:runways buoy:buoys convoy:convoys deploy:deploys soliloquy:soliloquies
  reach:reaches speech:speeches breach:breaches approach:approaches inch:inches ranch:ranches trench:trenches
  wrench:wrenches stitch:stitches epoch:epochs stomach:stomachs monarch:monarchs patriarch:patriarchs
  leash:leashes radish:radishes eyelash:eyelashes paradox:paradoxes lynx:lynxes tango:tangos dynamo:dynamos
  burrito:burritos avocado:avocados tempo:tempos inferno:infernos silo:silos kimono:kimonos auto:autos
  disco:discos motto:mottos stereo:stereos curio:curios folio:folios chef:chefs reef:reefs gulf:gulfs surf:surfs
  cuff:cuffs sheriff:sheriffs plaintiff:plaintiffs layoff:layoffs hive:hives nerve:nerves reserve:reserves
  sieve:sieves grave:graves slave:slaves stove:stoves groove:grooves detective:detectives vector:vectors
  tensor:tensors aorta:aortas pizza:pizzas quota:quotas agenda:agendas area:areas camera:cameras formula:formulas
  schema:schemas diploma:diplomas drama:dramas enema:enemas synthesis:syntheses paralysis:paralyses
  catalysis:catalyses electrolysis:electrolyses nemesis:nemeses antithesis:antitheses metastasis:metastases
  biopsy:biopsies autopsy:autopsies therapist:therapists physicist:physicists ethernet:ethernets dataset:datasets
  asset:assets outlet:outlets ticket:tickets closet:closets clue:clues glue:glues statue:statues tissue:tissues
  rescue:rescues residue:residues press:presses mistress:mistresses fortress:fortresses harness:harnesses
  princess:princesses stewardess:stewardesses buttress:buttresses abscess:abscesses recess:recesses
  excess:excesses bay:bays raspberry:raspberries cherry:cherries turkey:turkeys donkey:donkeys gateway:gateways
  firewall:firewalls router:routers switchboard:switchboards proxy:proxies galaxy:galaxies taxonomy:taxonomies
  economy:economies academy:academies pregnancy:pregnancies vacancy:vacancies tenancy:tenancies
  occupancy:occupancies mosquito:mosquitoes flamingo:flamingos dingo:dingoes crease:creases grease:greases
  increase:increases decrease:decreases closure:closures enclosure:enclosures tease:teases fuse:fuses
  excuse:excuses blouse:blouses greenhouse:greenhouses applause:applauses menopause:menopauses
`;

test('forms the singular and the plural of 740 nouns, and leaves a singular unchanged', () => {
  const pairs = NOUNS.trim()
    .split(/\s+/)
    .map((pair) => pair.split(':') as [string, string]);
  expect(pairs.length).toBe(740);
  const mismatches = pairs.flatMap(([one, several]) => [
    ...(toSingular(several) === one ? [] : [`${several}: one is ${toSingular(several)}`]),
    ...(toPlural(one) === several ? [] : [`${one}: several are ${toPlural(one)}`]),
    ...(toSingular(one) === one ? [] : [`${one}: one is ${toSingular(one)}`]),
  ]);
  expect(mismatches).toEqual([]);
});

test('changes only the last word of a name of several words', () => {
  expect(toSingular('order_lines')).toBe('order_line');
  expect(toPlural('unit of measure')).toBe('unit of measures');
});
