"""Short texts in several languages, written for these tests."""

CZECH = """Žádný kůň v naší stáji neměl rád déšť, a přece jsme každé úterý vyjížděli k řece.
Šedivé mraky se hnaly nad střechami a pětiletá Lucie počítala, kolik jich ještě přijde.
Když se konečně rozednilo, vařil už dědeček čaj z lipového květu a krájel čerstvý chléb.
Říkal, že dům bez žebříku je jako hřbitov bez zvonu, ale nikdo nevěděl, proč to říká."""

SLOVAK = """Každý večer si starý učiteľ sadol k oknu a čítal listy, ktoré mu nikto nenapísal.
Deti sa ho báli, hoci bol ku každému milý a vždy im dával jablká zo svojej záhrady.
Keď napadol sneh, odhŕňal chodník až k škole a potom sa dlho hrial pri peci.
Až po rokoch sme pochopili, že čakal na svojho brata, ktorý odišiel za more."""

POLISH = """Wczoraj wieczorem sąsiadka przyniosła nam słoik świeżego miodu i książkę o pszczołach.
Mówiła, że w zeszłym roku zima była łagodna, więc ule przetrwały prawie bez strat.
Dziś rano zaczęliśmy więc sadzić lipy wzdłuż całej drogi, choć ziemia była jeszcze twarda.
Ktoś musi przecież myśleć o tym, co będzie kwitło, kiedy nas już tutaj nie będzie."""

GERMAN = """Der Bäcker an der Ecke öffnet früh, und schon um fünf Uhr riecht die ganze Straße nach Brot.
Früher kamen die Müller noch selbst vorbei und brachten ihm das Mehl in großen Säcken.
Heute hört man nur noch einen Lastwagen, der rückwärts über den schmalen Hof fährt.
Trotzdem weiß jeder im Viertel, dass man für die süßen Hörnchen pünktlich sein muss."""

GREEK = """Άνοιξε το παράθυρο και άκουσε τη θάλασσα που χτυπούσε απαλά τα βράχια κάτω από το σπίτι.
Όταν ήταν μικρή, η γιαγιά της έλεγε ότι κάθε κύμα φέρνει ένα μήνυμα από μακριά.
Ήξερε πια πως αυτό δεν ήταν αλήθεια, αλλά της άρεσε ακόμα να το πιστεύει.
Έτσι καθόταν εκεί μέχρι που νύχτωνε και τα φώτα των πλοίων έμοιαζαν με αστέρια."""

RUSSIAN = """Каждое утро почтальон приезжал на старом велосипеде и привозил газеты, которых никто не читал.
Собаки давно привыкли к нему и только лениво поднимали головы, когда он открывал калитку.
Однажды он не приехал, и вся деревня вдруг заметила, как тихо бывает без его звонка.
Через неделю привезли нового, но этот уже ездил на машине и ни с кем не разговаривал."""

DANISH = """Hver morgen går den gamle fisker ned til havnen, selv om han ikke længere har nogen båd.
Han sætter sig på en kasse og kigger ud over vandet, mens mågerne skriger over hans hoved.
De unge hilser på ham og spørger, hvordan vejret bliver, for han tager næsten aldrig fejl.
Når solen endelig står op, drikker han sin kaffe og går hjem igen uden at sige noget."""

NORWEGIAN = """Hver høst plukker vi tyttebær i skogen bak huset, og barna kommer hjem med røde fingre.
Mormor koker syltetøy på kjøkkenet, og hele huset lukter av sukker og varme bær.
Etterpå setter hun glassene i kjelleren, der de blir stående helt til det blir jul.
Ingen av oss får lov til å smake før hun sier at det er kaldt nok ute."""

SWEDISH = """När isen äntligen släppte gick hela byn ner till sjön för att se den första båten komma.
Farfar hade målat den blå under vintern och skrivit ett namn på sidan som ingen fick veta.
Vi stod länge på bryggan och väntade, medan vinden drog genom den torra vassen.
Sedan hörde vi någon skratta, och då förstod vi att han hade döpt den efter mormor."""

ENGLISH = """The old bridge had been closed for years, but we still crossed it on our way to school.
Somebody had painted a row of little houses on the rail, each of them with a different door.
My sister used to say that the people in them would come out as soon as we had gone past.
When the bridge was taken down at last, she asked the workmen what had happened to them."""

JAPANESE = """朝早く起きて、川のそばを歩くのが好きだ。霧の中で鳥の声だけが聞こえる。
橋を渡ると小さなパン屋があり、焼きたての匂いが道まで流れてくる。
店の人はいつも笑っていて、ときどき余ったパンを一つ多く入れてくれる。"""

CHINESE = """每天早上，老王都要到河边走一走，看看那几只不怕人的水鸟。
他说年轻的时候这里没有桥，过河要等很久的船，冬天还要自己把冰打开。
现在桥上都是汽车，已经没有人记得那条船叫什么名字了。"""

KOREAN = """할머니는 아침마다 마당을 쓸고 나서 작은 의자에 앉아 차를 마셨다.
우리는 그 옆에서 숙제를 하다가 할머니가 들려주는 옛날이야기를 듣곤 했다.
지금은 그 집에 아무도 살지 않지만 마당의 감나무는 여전히 열매를 맺는다."""

SERBIAN_CYRILLIC = """Сваког јутра старац излази из куће и дуго гледа према планини на којој је некада живео.
Комшије кажу да тамо више нема ничега осим неколико зидова и једне крушке.
Ипак, он тврди да се увече још увек види светло на прозору његове мајке.
Нико му не противречи, јер би свако од нас волео да има такав прозор."""

PERSIAN = """هر روز صبح پیرمرد به باغ می‌رفت و درخت‌ها را یکی یکی آب می‌داد.
همسایه‌ها می‌گفتند که او با درخت‌ها حرف می‌زند و آنها هم جواب او را می‌دهند.
وقتی بهار می‌آمد کودکان کنار دیوار می‌نشستند و منتظر شکوفه‌ها می‌ماندند."""
